import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startStack } from '@verdict/local-stack/start-stack.js';
import type { Page } from 'playwright-core';
import { ROOT } from '../architecture/source-files.js';
import { choosePlan, makeChecks, makeHistory, makeKeysAndLists } from './fill-account.js';
import { launchBrowser } from './launch-browser.js';
import { logIn } from './log-in.js';

// The pictures of docs/dashboard.md. JPEG at 80: text stays sharp, and all of them together stay under a megabyte.

const FOLDER = join(ROOT, 'docs/screenshots');
const CHECKS = 260;
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly phone?: boolean;
  prepare?(page: Page): Promise<void>;
}

const checkAddress = async (page: Page) => {
  await page.getByLabel('Email address').fill('info@mailinator.com');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('article').waitFor();
};

const openFirst = async (page: Page) => {
  await page.getByRole('table', { name: 'Logs' }).getByRole('link').first().click();
  await page.getByRole('dialog').getByText('Log id').waitFor();
};

const PICTURES: readonly Picture[] = [
  { name: 'overview', path: '/' },
  { name: 'overview-dark', path: '/', colorScheme: 'dark' },
  { name: 'playground', path: '/playground', prepare: checkAddress },
  { name: 'logs', path: '/logs?decision=review,block', prepare: openFirst },
  { name: 'keys', path: '/keys' },
  { name: 'billing', path: '/billing' },
  { name: 'overview-phone', path: '/', phone: true },
  { name: 'logs-phone-dark', path: '/logs', phone: true, colorScheme: 'dark' },
];

const stack = await startStack({ env: { 'control-plane': { REQUESTS_PER_MINUTE: 1_000_000 } } });
const browser = await launchBrowser();
try {
  const origin = stack.gateways[0]?.url ?? '';
  await choosePlan(stack, 'starter');
  await makeHistory(stack);
  await makeKeysAndLists(stack);
  await makeChecks(stack, CHECKS);
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, path, colorScheme = 'light', phone = false, prepare } of PICTURES) {
    const context = await browser.newContext({ viewport: phone ? PHONE : DESKTOP, colorScheme });
    const page = await context.newPage();
    await logIn(page, origin, stack);
    await page.goto(`${origin}${path}`);
    await page.waitForLoadState('networkidle');
    await prepare?.(page);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(FOLDER, `${name}.jpg`), type: 'jpeg', quality: 80 });
    await context.close();
  }
} finally {
  await browser.close();
  await stack.stop();
}
