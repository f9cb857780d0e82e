import { randomBytes } from 'node:crypto';
import { API_PREFIX } from '@verdict/contracts/api-paths.js';
import { type HttpRequest, http } from '@verdict/local-stack/http.js';
import { skipFile } from '@verdict/local-stack/skip-file.js';
import { startStack, type TestStack } from '@verdict/local-stack/start-stack.js';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { type Account, actAs, choosePlan } from './fill-account.js';
import { launchBrowser, NO_BROWSER } from './launch-browser.js';
import { watchShifts } from './layout-shift.js';
import { takeSession } from './log-in.js';
import { settled } from './settled.js';
import { type Watch, watchPages } from './watch-page.js';

const PATIENCE_MS = 60_000;
export const DESK = { width: 1280, height: 800 };

type Setting = NonNullable<Parameters<Browser['newContext']>[0]> & {
  /** The logged-in user: the account of the file by default, none with null. */
  readonly as?: Account | null;
  /** The URL of a proxy in front of the server. */
  readonly at?: string;
  /** Servers that our pages send people to. */
  readonly elsewhere?: readonly string[];
};

export interface Dashboard {
  readonly origin: string;
  /** The account of this file: starter plan, one key, nothing else. */
  readonly account: Account;
  newAccount(): Promise<Account>;
  /** Opens a page with its own cookies and storage, and closes it when the test ends. */
  open(t: Test, setting?: Setting): Promise<Page>;
  /** Runs a test, then fails it if a page made a request to another host, broke the content security policy or threw. */
  test(name: string, body: (t: Test) => Promise<void>): void;
}

let opened: Promise<[TestStack, Browser]> | undefined;

/** The files of a process share one: they register their own accounts and count only their own rows. */
const openOnce = (t: Test): Promise<[TestStack, Browser]> => (opened ??= openBoth(t));

async function openBoth(t: Test): Promise<[TestStack, Browser]> {
  const stack = await startStack({
    env: {
      // What customers see: other stacks repeat addresses without meaning an attack.
      all: { BURSTS: 'on' },
      gateway: { REQUESTS_PER_MINUTE: 1_000_000 },
      'control-plane': {
        // Short, so that most tests outlive a token, but longer than a page takes to load on a busy machine.
        ACCESS_TOKEN_SECONDS: 12,
        // Long, so that a slow machine never makes a replaced refresh token end a session.
        REFRESH_GRACE_SECONDS: 3_600,
        REGISTRATIONS_PER_HOUR: 1_000_000,
      },
    },
  });
  t.teardown(() => stack.stop());
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  return [stack, browser];
}

/** Opens a stack and a browser until the process ends, and registers the account of this file. */
export async function openDashboard(t: Test): Promise<Dashboard> {
  if (NO_BROWSER) skipFile(NO_BROWSER);
  const [stack, browser] = await openOnce(t);
  const origin = stack.gateways[0]?.url ?? '';
  const account = await registerAccount(stack, origin);
  const watches: Watch[] = [];
  return {
    origin,
    account,
    newAccount: () => registerAccount(stack, origin),
    async open(t, { as = account, at = origin, elsewhere, ...options } = {}) {
      const context = await browser.newContext({ viewport: DESK, ...options });
      t.teardown(() => context.close());
      context.setDefaultTimeout(PATIENCE_MS);
      watches.push(watchPages(context, at, elsewhere));
      await watchShifts(context);
      if (as) await takeSession(context, at, as);
      return context.newPage();
    },
    test: (name, body) =>
      void t.test(name, async (t) => {
        await body(t);
        const seen = watches.flatMap(({ foreign, refused }) => [...foreign.splice(0), ...refused.splice(0)]);
        t.strictSame(
          seen,
          [],
          'the pages made no request to another host, broke no policy and threw nothing',
        );
      }),
  };
}

async function registerAccount({ sql, database }: TestStack, origin: string): Promise<Account> {
  const user = { email: `${randomBytes(6).toString('hex')}@example.com`, password: 'vivid-otter-harbour-9' };
  let apiKey = '';
  const api = <T>(path: string, { headers, ...rest }: HttpRequest = {}) =>
    http<T>(`${origin}${API_PREFIX}/${path}`, {
      ...rest,
      headers: { ...(apiKey ? { 'x-api-key': apiKey } : {}), ...headers },
    });
  const registered = await api<{ account: { id: string } }>('auth/users/', { json: user });
  if (registered.status !== 201) throw new Error(registered.text);
  const keyless = {
    ...user,
    accountId: registered.body.account.id,
    apiKey,
    apiKeyId: '',
    api,
    sql,
    database,
  };
  await choosePlan(keyless, 'starter');
  const made = await actAs<{ key: { id: string }; api_key: string }>(keyless, 'dashboard/keys/', {
    json: { name: 'Sign-up form' },
  });
  apiKey = made.api_key;
  return { ...keyless, apiKey, apiKeyId: made.key.id };
}

export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** Opens a URL and waits until the page has loaded its data. */
export async function visit(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url);
  await heading(page, name).waitFor();
  await settled(page);
}

/** Clicks a button and returns the file it downloads. */
export async function saved(page: Page, button: Locator): Promise<{ name: string; path: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), path: await download.path() };
}
