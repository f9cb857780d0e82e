import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import type { Page } from 'playwright-core';
import { ROOT } from '../architecture/source-files.js';
import {
  actAs,
  choosePlan,
  makeChecks,
  makeHistory,
  makeJob,
  makeKeysAndLists,
  makeWebhooks,
} from './fill-account.js';
import { launchBrowser } from './launch-browser.js';
import { logIn } from './log-in.js';
import { settled } from './settled.js';
import { startWebhookReceiver } from './webhook-receiver.js';

// The pictures of docs/dashboard.md. JPEG at 72: text stays sharp, and all of them together stay under 1.5 MB.

const FOLDER = join(ROOT, 'docs/screenshots');
const CHECKS = 260;
const DONE = 'newsletter-november.csv';
const WAITING = 'crm-export.csv';
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly phone?: boolean;
  prepare?(page: Page): Promise<void>;
}

/** The worker notices the repetition some seconds after the checks. */
const seeAttack = async (page: Page) => {
  const examples = page.getByRole('list', { name: 'Examples' });
  await eventually(async () => {
    await page.reload();
    await settled(page);
    return (await examples.count()) > 0;
  });
  await examples.getByRole('link').first().waitFor();
};

const checkAddress = async (page: Page) => {
  await page.getByLabel('Email address').fill('info@mailinator.com');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('article').waitFor();
};

const openFirst = async (page: Page) => {
  await page.getByRole('table', { name: 'Checks' }).getByRole('link').first().click();
  await page.getByRole('dialog').getByText('Your lists', { exact: true }).waitFor();
};

const openJob = (name: string) => async (page: Page) => {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

const openResults = async (page: Page) => {
  await openJob(DONE)(page);
  await page.getByRole('table', { name: 'Results' }).getByRole('row').nth(1).waitFor();
};

const askForImpact = async (page: Page) => {
  await page.getByRole('button', { name: 'Add entry' }).click();
  await page.getByLabel('Address, domain, mail server, IP or network').fill('mailinator.com');
  await page.getByText('would have had a different decision').waitFor();
};

const PICTURES: readonly Picture[] = [
  { name: 'overview', path: '/', prepare: seeAttack },
  { name: 'overview-dark', path: '/', colorScheme: 'dark', prepare: seeAttack },
  { name: 'playground', path: '/checks/new', prepare: checkAddress },
  { name: 'logs', path: '/checks?decision=review,block', prepare: openFirst },
  { name: 'bulk', path: '/bulk' },
  { name: 'bulk-quote', path: '/bulk', prepare: openJob(WAITING) },
  { name: 'bulk-results', path: '/bulk', colorScheme: 'dark', prepare: openResults },
  { name: 'keys', path: '/developers/keys' },
  { name: 'lists-impact', path: '/rules/lists', prepare: askForImpact },
  { name: 'webhooks', path: '/developers/webhooks' },
  { name: 'usage-dark', path: '/billing/usage', colorScheme: 'dark' },
  { name: 'billing', path: '/billing' },
  { name: 'account', path: '/settings/account' },
  { name: 'members', path: '/settings/members' },
  { name: 'overview-phone', path: '/', phone: true, prepare: seeAttack },
  { name: 'logs-phone-dark', path: '/checks', phone: true, colorScheme: 'dark' },
];

const stack = await startStack({ env: { gateway: { REQUESTS_PER_MINUTE: 1_000_000 } } });
const browser = await launchBrowser();
const receiver = await startWebhookReceiver();
try {
  const origin = stack.gateways[0]?.url ?? '';
  await choosePlan(stack, 'starter');
  await makeHistory(stack);
  await makeWebhooks(stack, receiver.url);
  await makeKeysAndLists(stack);
  for (const [email, role] of [
    ['finance@acme.example', 'billing'],
    ['ada@acme.example', 'analyst'],
  ])
    await actAs(stack, 'members/invitations/', { json: { email, role } });
  await makeChecks(stack, CHECKS);
  await makeJob(stack, { name: DONE, rows: 240, start: true });
  await makeJob(stack, { name: WAITING, rows: 1200, start: false });
  const pages = new Map<string, Page>();
  /** One login for each kind of picture: a password is slow to check on purpose. */
  const pageOf = async (phone: boolean, colorScheme: 'light' | 'dark'): Promise<Page> => {
    const kind = `${phone} ${colorScheme}`;
    const known = pages.get(kind);
    if (known) return known;
    const context = await browser.newContext({ viewport: phone ? PHONE : DESKTOP, colorScheme });
    const page = await context.newPage();
    await logIn(page, origin, stack);
    pages.set(kind, page);
    return page;
  };
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, path, colorScheme = 'light', phone = false, prepare } of PICTURES) {
    const page = await pageOf(phone, colorScheme);
    await page.goto(`${origin}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await prepare?.(page);
    await settled(page);
    await page.screenshot({ path: join(FOLDER, `${name}.jpg`), type: 'jpeg', quality: 72 });
  }
} finally {
  await browser.close();
  await receiver.stop();
  await stack.stop();
}
