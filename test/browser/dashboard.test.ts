import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { REFRESH_COOKIE_PATH } from '@verdict/contracts/dashboard/auth-api.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { NotHere } from '@verdict/local-stack/not-here.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import type { BrowserContext, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { startHttpProxy } from '../harness/start-http-proxy.js';
import { axeFindings } from './axe-findings.js';
import { accessOf, choosePlan, makeChecks, makeHistory, makeKeysAndLists } from './fill-account.js';
import { launchBrowser, NO_BROWSER } from './launch-browser.js';
import { LAYOUT_SHIFT_MAX, shiftsOf, watchShifts } from './layout-shift.js';
import { fillListing, measureListing } from './list-speed.js';
import { logIn } from './log-in.js';
import { watchPages } from './watch-page.js';
import { startWebhookReceiver } from './webhook-receiver.js';

if (NO_BROWSER) throw new NotHere(NO_BROWSER);

/** So short that most tests live through expired tokens; longer than a page of a starved machine takes. */
const ACCESS_TOKEN_SECONDS = 12;
const CHECKS = 240;
/** Distinct addresses of the file that is uploaded, which is checked before the logs are counted. */
const FILE_CHECKS = 2;
const MANY_ROWS = 500;
const PATIENCE_MS = 60_000;

const stack = await startStack({
  env: {
    'control-plane': {
      ACCESS_TOKEN_SECONDS,
      // A page that is left while a token is traded shows the old one again, however slow the machine is.
      REFRESH_GRACE_SECONDS: 3_600,
      REQUESTS_PER_MINUTE: 1_000_000,
      REGISTRATIONS_PER_HOUR: 1_000_000,
    },
  },
});
t.teardown(() => stack.stop());
const browser = await launchBrowser();
t.teardown(() => browser.close());
const origin = stack.gateways[0]?.url ?? '';

await choosePlan(stack, 'starter');
await makeHistory(stack);
await makeKeysAndLists(stack);
await makeChecks(stack, CHECKS);
await stack.sql('UPDATE users SET operator = true WHERE email = $1', [stack.email]);

const contexts: { readonly watch: ReturnType<typeof watchPages> }[] = [];

/** A browser of its own: cookies, storage and all. */
async function newBrowser(options: Parameters<typeof browser.newContext>[0] = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  contexts.push({ watch: watchPages(context, origin) });
  await watchShifts(context);
  return context;
}

/** A browser to which the test can hold back an answer. */
async function logInBehindProxy(t: Test) {
  const proxy = await startHttpProxy(origin);
  t.teardown(() => proxy.stop());
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await logIn(page, proxy.url, stack);
  return { proxy, context, page };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

const PAGES = [
  ['/', 'Overview'],
  ['/playground', 'Playground'],
  ['/logs', 'Logs'],
  ['/bulk', 'Bulk'],
  ['/keys', 'Keys'],
  ['/lists', 'Lists'],
  ['/webhooks', 'Webhooks'],
  ['/usage', 'Usage'],
  ['/billing', 'Billing'],
  ['/audit', 'Audit'],
  ['/account', 'Account'],
  ['/reference', 'API reference'],
] as const;
const OPERATOR_PAGES = ['accounts', 'plan-requests', 'months', 'system'] as const;

/** Until nothing on the page says that it is still loading. */
const settled = async (page: Page) => {
  await eventually(async () => (await page.locator('[role="status"][aria-label^="Loading"]').count()) === 0);
};

t.test('strangers are asked to log in and come back to where they wanted to go', async (t) => {
  const context = await newBrowser();
  const page = await context.newPage();
  await page.goto(`${origin}/logs?decision=block`);
  await heading(page, 'Log in').waitFor();
  await page.getByLabel('Email').fill(stack.email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').waitFor();
  t.strictSame(await axeFindings(page), [], 'the login page with an error passes axe');
  await page.getByLabel('Password', { exact: true }).fill(stack.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await heading(page, 'Logs').waitFor();
  await settled(page);
  t.match(page.url(), /\/logs\?decision=block$/);
  const cookies = await context.cookies(`${origin}/api/v1/auth/`);
  t.match(cookies, [{ name: 'verdict_refresh', httpOnly: true, sameSite: 'Strict' }]);
  t.equal(await page.evaluate('document.cookie'), '', 'no script sees it');
  t.notMatch(
    await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'),
    /eyJ/,
    'no token is stored',
  );
  await page.goto(`${origin}/login?next=//evil.example/`);
  await heading(page, 'Overview').waitFor();
  t.ok(page.url().startsWith(`${origin}/`), 'nobody is sent to another host');
  await context.close();
});

/** A page that was opened by its address has kept still while it came. */
const keptStill = async (t: Test, page: Page, name: string) => {
  const { sum, moved } = await shiftsOf(page);
  t.comment(`${name}: layout shift ${sum.toFixed(4)}`);
  t.ok(sum < LAYOUT_SHIFT_MAX, `${name} keeps still`, { moved });
};

for (const colorScheme of ['light', 'dark'] as const) {
  t.test(`every page is whole and passes axe, ${colorScheme}`, async (t) => {
    const context = await newBrowser({ colorScheme });
    const colours = colorScheme === 'dark'; // all other rules were asked in the light
    const byAddress = colorScheme === 'dark'; // and the navigation was used there
    const page = await context.newPage();
    await logIn(page, origin, stack);
    for (const [path, name] of PAGES) {
      if (byAddress) await page.goto(`${origin}${path}`);
      else
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
      await heading(page, name).waitFor();
      await settled(page);
      if (byAddress) await keptStill(t, page, name);
      t.equal(new URL(page.url()).pathname, path);
      t.equal(await page.getByRole('heading', { level: 1 }).count(), 1, `${name} has one h1`);
      t.equal(await page.getByRole('main').getByRole('alert').count(), 0, `${name} shows no error`);
      t.strictSame(await axeFindings(page, { colours }), [], `${name} passes axe`);
    }
    for (const tab of OPERATOR_PAGES) {
      await page.goto(`${origin}/operator/${tab}`);
      await heading(page, 'Operator').waitFor();
      await settled(page);
      await keptStill(t, page, tab);
      t.equal(await page.getByRole('main').getByRole('alert').count(), 0, `${tab} shows no error`);
      t.strictSame(await axeFindings(page, { colours }), [], `${tab} passes axe`);
    }
    await context.close();
  });
}

t.test('nothing is cut off at 360 px, nor between a phone and a desk', async (t) => {
  const context = await newBrowser({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await logIn(page, origin, stack);
  for (const [path, name] of PAGES) {
    await page.goto(`${origin}${path}`);
    await heading(page, name).waitFor();
    await settled(page);
    const overhang = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    t.equal(overhang, 0, `${name} fits`);
    await keptStill(t, page, `${name}, 360 px`);
  }
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await heading(page, 'Keys').waitFor();
  t.strictSame(await axeFindings(page), []);

  // Between a phone and a desk columns give way before the first one, which tells the rows apart, is squeezed.
  await page.setViewportSize({ width: 820, height: 740 });
  for (const path of ['keys', 'lists', 'billing', 'operator/accounts', 'operator/months']) {
    await page.goto(`${origin}/${path}`);
    await page.getByRole('main').getByRole('table').first().waitFor();
    for (const table of await page.getByRole('main').getByRole('table').all()) {
      const { width } = (await table.locator('th').first().boundingBox()) ?? { width: 0 };
      t.ok(width >= 90, `${path}: the first column has ${width} px`);
    }
  }
  await context.close();
});

t.test(
  'the whole story: register, key, check, log, allow-list, check again, roll, revoke, plan',
  async (t) => {
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const context = await newBrowser();
    const page = await context.newPage();
    await page.goto(`${origin}/register`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('vivid-otter-harbour-9');
    await page.getByRole('button', { name: 'Register' }).click();
    await heading(page, 'Overview').waitFor();
    await page.getByRole('heading', { name: 'Your first check, in three steps' }).waitFor();

    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await heading(page, 'Keys').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Create key' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Sign-up form');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const first = (await page.getByRole('group', { name: 'Value of the key' }).textContent()) ?? '';
    await page.getByText('It is in force on every gateway.').waitFor();
    t.equal(
      await page.getByRole('button', { name: 'Done' }).isEnabled(),
      false,
      'it does not close by accident',
    );
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    const check = (key: string) =>
      http<{ decision: string }>(`${origin}/api/v1/check/`, {
        headers: { 'x-api-key': key },
        json: { email: 'somebody@mailinator.com' },
      });
    t.equal((await check(first)).status, 200, 'the value that was shown works');

    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByLabel('Email address').fill('somebody@mailinator.com');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const verdict = page.getByRole('article');
    await verdict.getByText('block', { exact: true }).first().waitFor();
    t.strictSame(await axeFindings(page), [], 'a verdict passes axe');

    await page.getByRole('link', { name: 'Logs', exact: true }).click();
    await eventually(async () => {
      await page.reload();
      await heading(page, 'Logs').waitFor();
      await settled(page);
      return (await page.getByRole('link', { name: 'somebody@mailinator.com' }).count()) >= 2;
    });
    await page.getByRole('link', { name: 'somebody@mailinator.com' }).first().click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Allow mailinator.com' }).click();
    await page.getByText('mailinator.com is on the allow list', { exact: true }).waitFor();
    await panel.getByText('mailinator.com is on your allow list').waitFor();
    t.strictSame(await axeFindings(page), [], 'the details pass axe');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    t.equal((await check(first)).body.decision, 'allow', 'the same address is allowed now');
    await page.getByRole('link', { name: 'Lists', exact: true }).click();
    await page.getByRole('cell', { name: 'mailinator.com', exact: true }).waitFor();

    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    const actions = page.getByRole('button', { name: 'Actions for Sign-up form' });
    for (const [act, said, status] of [
      ['Deactivate', 'Sign-up form is inactive: it answers 403 from now on.', 403],
      ['Activate', 'Sign-up form is active again.', 200],
    ] as const) {
      await actions.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: act, exact: true }).waitFor();
      const focused = page.locator('[role="menuitem"]:focus').filter({ hasText: act });
      await eventually(async () => {
        if ((await focused.count()) === 1) return true;
        await page.keyboard.press('ArrowDown');
        return false;
      });
      await page.keyboard.press('Enter');
      await page.getByText(said).waitFor();
      t.equal((await check(first)).status, status, `${act}, by the keyboard, holds at once`);
    }

    await actions.click();
    await page.getByRole('menuitem', { name: 'Roll value' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll value' }).click();
    const second = (await page.getByRole('group', { name: 'Value of the key' }).textContent()) ?? '';
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    t.not(second, first);
    t.strictSame(
      [(await check(first)).status, (await check(second)).status],
      [200, 200],
      'both work for a while',
    );

    await page.getByRole('button', { name: 'Actions for Sign-up form' }).click();
    await page.getByRole('menuitem', { name: 'Revoke key' }).click();
    const revoke = page.getByRole('dialog').getByRole('button', { name: 'Revoke key' });
    t.equal(await revoke.isEnabled(), false, 'the name is asked for');
    await page.getByLabel('Name of the key').fill('Sign-up form');
    await revoke.click();
    await page.getByText('Sign-up form is revoked for good.').waitFor();
    t.strictSame([(await check(first)).status, (await check(second)).status], [403, 403], 'it holds at once');

    await page.getByRole('link', { name: 'Billing', exact: true }).click();
    await page.getByRole('button', { name: 'Change plan: starter' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change plan' }).click();
    await page.getByText('You are on the starter plan').waitFor();
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByRole('cell', { name: 'key.revoked' }).waitFor();
    await context.close();
  },
);

t.test('a statement carries a checksum that the browser computes again', async (t) => {
  const context = await newBrowser();
  const page = await context.newPage();
  await logIn(page, origin, stack);
  await page.goto(`${origin}/billing`);
  const table = page.getByRole('table', { name: 'Statements' });
  await table.getByRole('link').first().click();
  await page.getByText('It agrees: this statement is as it was closed.').waitFor();
  t.strictSame(await axeFindings(page), []);
  await page.evaluate('window.print = () => { window.printed = true; }');
  await page.getByRole('button', { name: 'Print' }).click();
  t.equal(await page.evaluate('window.printed'), true, 'it is printed by a button');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  t.equal(await page.getByRole('navigation').count(), 0, 'on paper there is nothing to click');
  t.equal(await page.getByRole('main').getByRole('button').count(), 0);
  t.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)');
  await page.getByText('It agrees: this statement is as it was closed.').waitFor();
  t.equal((await page.pdf()).subarray(0, 5).toString(), '%PDF-');
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  await page.route('**/api/v1/billing/statements/*/', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace(/"used":\d/, '"used":9') });
  });
  await page.reload();
  await page.getByText('It does not agree.').waitFor();
  await context.close();
});

t.test('a file is taken, priced, started, watched to its end, filtered and downloaded', async (t) => {
  const context = await newBrowser();
  const page = await context.newPage();
  await logIn(page, origin, stack);
  await page.goto(`${origin}/bulk`);
  await heading(page, 'Bulk').waitFor();
  const domain = `${randomBytes(6).toString('hex')}.example`;
  const rows = [
    'name,email',
    `Jane,jane@gmail.com`,
    `Again,JANE@gmail.com`,
    'Throw,a@mailinator.com',
    'None,none',
  ];
  await page.locator('input[type="file"]').setInputFiles({
    name: `${domain}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(rows.join('\n')),
  });
  await heading(page, `${domain}.csv`).waitFor();
  await page.getByText('Nothing is checked or counted before you start it.').waitFor();
  await page.getByRole('heading', { name: 'What it costs' }).waitFor();
  t.strictSame(await axeFindings(page), [], 'a quote passes axe');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText(`${FILE_CHECKS} of ${FILE_CHECKS} addresses`).waitFor();
  await page.getByText('completed', { exact: true }).waitFor();
  const table = page.getByRole('table', { name: 'Results' });
  await eventually(async () => (await table.getByText('block', { exact: true }).count()) === 1);
  t.equal(await table.locator('tbody tr').count(), 4, 'every row of the file');
  t.strictSame(await axeFindings(page), [], 'results pass axe');
  const filter = page.getByRole('radiogroup', { name: 'Decision' });
  await filter.getByText('block', { exact: true }).click();
  await page.waitForURL(/decision=block/);
  await eventually(async () => (await table.locator('tbody tr').count()) === 1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  t.equal(download.suggestedFilename(), `${domain}-block.csv`);
  await page.getByRole('link', { name: 'Bulk', exact: true }).first().click();
  await page.getByRole('link', { name: `${domain}.csv` }).waitFor();
  await context.close();
});

t.test('invoices and the papers of a month are saved as files', async (t) => {
  const context = await newBrowser();
  const page = await context.newPage();
  await logIn(page, origin, stack);
  const saved = async (button: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button, exact: true }).click(),
    ]);
    return { name: download.suggestedFilename(), path: await download.path() };
  };
  await page.goto(`${origin}/billing`);
  const invoices = page.getByRole('table', { name: 'Invoices' });
  const number = (await invoices.locator('tbody td').first().textContent()) ?? '';
  const pdf = await saved(`Save ${number} as PDF`);
  t.equal(pdf.name, `${number}.pdf`);
  t.equal(readFileSync(pdf.path).subarray(0, 5).toString(), '%PDF-');
  const html = await saved(`Save ${number} as HTML`);
  t.equal(html.name, `${number}.html`);
  const paper = await (await browser.newContext()).newPage();
  paper.setDefaultTimeout(PATIENCE_MS);
  await paper.setContent(readFileSync(html.path, 'utf8'));
  await paper.getByText(number).first().waitFor();
  t.strictSame(await axeFindings(paper), [], 'the invoice passes axe');
  await paper.context().close();

  await page.goto(`${origin}/operator/months`);
  const months = page.getByRole('table', { name: 'Months' });
  await months.getByText('closed').first().waitFor();
  const last = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1));
  const month = last.toISOString().slice(0, 7);
  const spoken = last.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const report = await saved(`Save the report of ${spoken} as a page`);
  t.equal(report.name, `verdict-${month}.html`);
  t.match(readFileSync(report.path, 'utf8'), spoken);
  const statements = await saved(`Save the statements of ${spoken} as CSV`);
  t.equal(statements.name, `verdict-statements-${month}.csv`);
  t.match(readFileSync(statements.path, 'utf8'), stack.accountId);
  const accounting = await saved(`Save the invoices of ${spoken} as CSV`);
  t.equal(accounting.name, `verdict-invoices-${month}.csv`);
  t.match(readFileSync(accounting.path, 'utf8'), number);
  await context.close();
});

t.test('entries are imported with a report of every row, and removed by the keyboard', async (t) => {
  const context = await newBrowser();
  const page = await context.newPage();
  await logIn(page, origin, stack);
  await page.goto(`${origin}/lists?list=block`);
  await heading(page, 'Lists').waitFor();
  const domain = `${randomBytes(6).toString('hex')}.example`;
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const rows = [
    'value,note',
    `${domain},Wave`,
    'no value at all,x',
    'spam-farm.example,',
    `other.${domain},`,
  ];
  await dialog.getByLabel('Entries').fill(rows.join('\n'));
  await dialog.getByText('4 rows ready').waitFor();
  await dialog.getByRole('button', { name: 'Import 4' }).click();
  await dialog.getByText('2 added, 1 already there, 1 refused.').waitFor();
  const refused = dialog.getByRole('table', { name: 'Why it was refused' }).locator('tbody tr');
  t.equal(await refused.count(), 1);
  t.match(await refused.textContent(), /^2no value at all.*an address/, 'its row, its value and the reason');
  t.strictSame(await axeFindings(page), [], 'the report passes axe');
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save all as CSV' }).click(),
  ]);
  t.match(readFileSync(await report.path(), 'utf8'), /^row,value,message\r\n2,no value at all,/);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialog.waitFor({ state: 'hidden' });

  const bin = (value: string) => page.getByRole('button', { name: `Remove ${value}`, exact: true });
  await bin(`other.${domain}`).waitFor();
  const bins = await page.getByRole('button', { name: /^Remove / }).all();
  await bins[0]?.focus();
  for (const [index, one] of bins.entries()) {
    const focused = await page.locator(':focus').getAttribute('title');
    t.equal(focused, await one.getAttribute('title'), 'from one bin to the next');
    if (index < bins.length - 1) await page.keyboard.press('ArrowDown');
  }
  const focused = page.locator('button:focus');
  await eventually(async () => {
    if ((await focused.getAttribute('title')) === `Remove ${domain}`) return true;
    await page.keyboard.press('ArrowUp');
    return false;
  });
  await page.keyboard.press('Enter');
  await page.getByText(`${domain} is no longer on the list`, { exact: true }).waitFor();
  await bin(domain).waitFor({ state: 'hidden' });
  await context.close();
});

t.test('an export says how far it is, comes whole, and can be stopped', async (t) => {
  const { proxy, context, page } = await logInBehindProxy(t);
  await page.goto(`${proxy.url}/logs`);
  const start = page.getByRole('button', { name: 'Export CSV' });
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  const begin = async () => {
    const half = proxy.hold('/api/v1/dashboard/logs.csv', 'rest');
    await start.click();
    await half;
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ rows, [\d.]+ kB$/ })
      .waitFor();
  };
  await begin();
  const downloading = page.waitForEvent('download');
  proxy.release();
  const lines = readFileSync(await (await downloading).path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  const [stored] = await stack.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM check_logs WHERE account_id = $1`,
    [stack.accountId],
  );
  t.equal(lines.length, (stored?.n ?? 0) + 1, 'every check, and the names of the columns');

  await begin();
  await stop.click();
  await start.waitFor();
  proxy.release();
  t.equal(await page.getByText('The file could not be made').count(), 0, 'to stop is no error');
  await context.close();
});

t.test('the reference tries an endpoint with an own key or with the session', async (t) => {
  const context = await newBrowser();
  const page = await context.newPage();
  await logIn(page, origin, stack);
  const trying = async (name: string, prepare?: () => Promise<void>) => {
    await page.getByRole('button', { name, exact: true }).click();
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Send request' }) });
    await prepare?.();
    await form.getByRole('button', { name: 'Send request' }).click();
    await form.getByText(/^200 in \d+ ms$/).waitFor();
    const answer = await form.getByRole('group', { name: 'Answer' }).textContent();
    await page.getByRole('button', { name: name.replace('Try it', 'Close'), exact: true }).click();
    return JSON.parse(answer ?? '');
  };
  await page.goto(`${origin}/reference#get--api-v1-usage-`);
  const usage = await trying('Try it: GET /api/v1/usage/', () =>
    page.getByLabel('API key', { exact: true }).fill(stack.apiKey),
  );
  t.equal(usage.success, true);
  t.strictSame(await axeFindings(page), [], 'an open endpoint passes axe');
  // The session goes on when the token of the page has run out.
  const refuse = { status: 401, json: { success: false } };
  await page.route('**/api/v1/auth/sessions/', (route) => route.fulfill(refuse), { times: 1 });
  await page.goto(`${origin}/reference#get--api-v1-auth-sessions-`);
  const mine = await trying('Try it: GET /api/v1/auth/sessions/');
  t.ok(mine.sessions.some(({ current }: { current: boolean }) => current));
  await context.close();
});

t.test('an endpoint is added, tried, watched failing, rolled, disabled and deleted', async (t) => {
  const receiver = await startWebhookReceiver();
  t.teardown(() => receiver.stop());
  const context = await newBrowser();
  const page = await context.newPage();
  await logIn(page, origin, stack);
  await page.goto(`${origin}/webhooks`);
  await page.getByText('No endpoint yet').waitFor();
  await page.getByText('Nothing was sent yet').waitFor();
  const panel = page.getByRole('dialog');
  const act = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const secretShown = async () => {
    const secret = (await page.getByRole('group', { name: 'Secret of the endpoint' }).textContent()) ?? '';
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await panel.waitFor({ state: 'hidden' });
    return secret;
  };

  await page.getByRole('button', { name: 'Add endpoint' }).first().click();
  await page.getByLabel('URL', { exact: true }).fill(receiver.url);
  await page.getByLabel('Note (optional)').fill('Orders');
  t.equal(await page.getByRole('checkbox', { name: 'check.blocked' }).isChecked(), false, 'named by choice');
  t.strictSame(await axeFindings(page), [], 'the form passes axe');
  await panel.getByRole('button', { name: 'Add endpoint' }).click();
  const first = await secretShown();
  t.match(first, /^whsec_/);

  await act('Send a test');
  await panel.getByText('answered 204').waitFor();
  await panel.getByText('delivered', { exact: true }).waitFor();
  t.equal(receiver.received.length, 1);
  await panel.getByText(receiver.received[0] ?? 'none').waitFor();
  t.match(page.url(), /\/webhooks\/whd_/, 'a delivery has an address of its own');
  t.strictSame(await axeFindings(page), [], 'a delivery passes axe');

  receiver.answer = { status: 500, body: 'the database is down' };
  await panel.getByRole('button', { name: 'Send it again' }).click();
  await panel.getByText('answered 500').first().waitFor();
  await panel.getByText('the database is down').first().waitFor();
  receiver.answer = { status: 204 };
  await panel.getByRole('button', { name: 'Send it again' }).click();
  await panel.getByText('delivered', { exact: true }).waitFor();
  t.equal(new Set(receiver.received).size, 1, 'the same event keeps its id');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });

  await act('Roll secret');
  await panel.getByRole('button', { name: 'Roll secret' }).click();
  await page.getByText('Messages also carry a signature of the old secret until').waitFor();
  t.not(await secretShown(), first);

  await act('Send events again');
  await panel.getByRole('button', { name: 'Send again' }).click();
  await panel.waitFor({ state: 'hidden' });

  await page.getByLabel('Status').selectOption('failed');
  await page.waitForURL(/status=failed/);
  await page.getByText('No delivery fits').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  const endpoints = page.getByRole('table', { name: 'Endpoints' });
  await act('Disable');
  await endpoints.getByText('disabled', { exact: true }).waitFor();
  await act('Enable');
  await endpoints.getByText('enabled', { exact: true }).waitFor();
  t.strictSame(await axeFindings(page), [], 'endpoints and deliveries pass axe');

  await act('Delete endpoint');
  await page.getByLabel('URL of the endpoint').fill(receiver.url);
  await panel.getByRole('button', { name: 'Delete endpoint' }).click();
  await page.getByText('No endpoint yet').waitFor();
  await context.close();
});

t.test('two tabs share a session, renew it side by side and leave it together', async (t) => {
  const context = await newBrowser();
  const one = await context.newPage();
  await logIn(one, origin, stack);
  const two = await context.newPage();
  await two.goto(`${origin}/keys`);
  await heading(two, 'Keys').waitFor();
  for (const round of [1, 2]) {
    await new Promise((resolve) => setTimeout(resolve, ACCESS_TOKEN_SECONDS * 1000 + 500)); // the token must expire
    await Promise.all([one.reload(), two.reload()]);
    await Promise.all([heading(one, 'Overview').waitFor(), heading(two, 'Keys').waitFor()]);
    t.pass(`both are still in after round ${round}`);
  }
  await two.getByRole('button', { name: 'You and your settings' }).click();
  await two.getByRole('menuitem', { name: 'Log out' }).click();
  await Promise.all([heading(one, 'Log in').waitFor(), heading(two, 'Log in').waitFor()]);
  await context.close();
});

t.test('who leaves a page while its token is traded is still logged in on coming back', async (t) => {
  const { proxy, context, page } = await logInBehindProxy(t);
  const token = async () => (await context.cookies(`${proxy.url}${REFRESH_COOKIE_PATH}`))[0]?.value;
  const traded = proxy.hold(`${REFRESH_COOKIE_PATH}jwt/refresh/`, 'all');
  await page.goto(`${proxy.url}/keys`, { waitUntil: 'commit' });
  await traded;
  const before = await token();
  await page.goto('about:blank');
  proxy.release();
  await eventually(async () => (await token()) !== before);
  // The time in which a token that was just replaced is forgiven goes by.
  await stack.sql(`UPDATE sessions SET used_at = used_at - interval '1 hour'`);
  await page.goto(`${proxy.url}/keys`);
  await heading(page, 'Keys').waitFor();
  t.not(await token(), before);
  await context.close();
});

t.test('an ended session leads to the login and back to the page', async (t) => {
  const context = await newBrowser();
  const page = await context.newPage();
  await logIn(page, origin, stack);
  await page.goto(`${origin}/lists?list=block`);
  await heading(page, 'Lists').waitFor();
  const ended = await http(`${stack.baseUrls[0]}auth/sessions/`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${await accessOf(stack)}` },
  });
  t.equal(ended.status, 200);
  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await heading(page, 'Log in').waitFor();
  await page.getByText('Your session has ended.').waitFor();
  await page.getByLabel('Email').fill(stack.email);
  await page.getByLabel('Password', { exact: true }).fill(stack.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await heading(page, 'Audit').waitFor();
  await context.close();
});

t.test('a hundred thousand rows would not matter: only those in sight are in the document', async (t) => {
  const context = await newBrowser();
  const page = await context.newPage();
  await logIn(page, origin, stack);
  await page.goto(`${origin}/logs`);
  await heading(page, 'Logs').waitFor();
  await settled(page);
  const rows = page.getByRole('table', { name: 'Logs' }).locator('tbody tr');
  await eventually(async () => {
    await page.mouse.wheel(0, 4000);
    return (await page.getByText(`${CHECKS + FILE_CHECKS} loaded`).count()) === 1;
  });
  t.ok((await rows.count()) < 80, `${await rows.count()} rows of ${CHECKS}`);
  await context.close();
});

t.test('five hundred rows at once are in the document only as far as they are in sight', async (t) => {
  const context = await newBrowser();
  const [job] = await stack.sql<{ id: string }>('SELECT id FROM bulk_jobs WHERE account_id = $1', [
    stack.accountId,
  ]);
  const api = '/api/v1';
  const listings = [
    { path: '/logs', table: 'Logs', from: `${api}/dashboard/logs/`, rows: 'logs', key: 'id' },
    { path: '/lists', table: 'Lists: allow', from: `${api}/lists/allow/`, rows: 'entries', key: 'id' },
    {
      path: `/bulk/${job?.id}`,
      table: 'Results',
      from: `${api}/jobs/${job?.id}/results/`,
      rows: 'results',
      key: 'row',
    },
  ];
  const page = await context.newPage();
  await logIn(page, origin, stack);
  for (const { path, table, from, rows, key } of listings) {
    const listing = await context.newPage();
    const vary = (index: number) => ({ [key]: key === 'row' ? index + 1 : `made_up_${index}` });
    await fillListing(listing, from, rows, MANY_ROWS, vary);
    const speed = await measureListing(listing, { url: `${origin}${path}`, table, rows, count: MANY_ROWS });
    const shown = listing.getByRole('table', { name: table });
    t.equal(await shown.getAttribute('aria-rowcount'), String(MANY_ROWS + 1), `${table} has them all`);
    t.ok((await shown.locator('tr[aria-rowindex]').count()) < 80, 'few are in the document');
    t.comment(
      `${table}, ${MANY_ROWS} rows: in the document after ${speed.committed} ms, drawn after ${speed.drawn} ms`,
    );
    await keptStill(t, listing, table);
    await listing.close();
  }
  await context.close();
});

t.test('the keyboard alone is enough', async (t) => {
  const context = await newBrowser();
  const page = await context.newPage();
  await logIn(page, origin, stack);
  await page.goto(`${origin}/logs`);
  await heading(page, 'Logs').waitFor();
  await settled(page);
  await page.keyboard.press('Tab');
  t.equal((await page.locator(':focus').textContent()) ?? '', 'Skip to the content');
  await page.getByRole('table', { name: 'Logs' }).getByRole('link').first().focus();
  await page.keyboard.press('ArrowDown');
  const second = (await page.locator(':focus').textContent()) ?? '';
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText(second).first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  t.match(page.url(), /\/logs$/);
  await page.goBack();
  await page.getByRole('dialog').waitFor();
  t.pass('the details have an address of their own');
  await context.close();
});

t.test('moments are told in UTC, and in local time on hover', async (t) => {
  const context = await newBrowser({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
  const page = await context.newPage();
  await logIn(page, origin, stack);
  await page.goto(`${origin}/keys`);
  const moment = page.getByRole('table', { name: 'Keys' }).locator('time').last();
  const at = (await moment.getAttribute('datetime')) ?? '';
  t.equal(await moment.textContent(), at.slice(0, 19).replace('T', ' '));
  const there = new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo' });
  t.match(await moment.getAttribute('title'), there);
  await context.close();
});

t.test('while the API is away the page says so, and it comes back by itself', async (t) => {
  const context = await newBrowser();
  const page = await context.newPage();
  const ahead = page.waitForResponse(/AuditPage-[\w-]+\.js$/);
  await logIn(page, origin, stack);
  await ahead; // the other pages are brought while nothing else is to do
  await stack.gateways[0]?.stop();
  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await page.getByText('The API does not answer.').first().waitFor();
  await stack.gateways[0]?.restart();
  await page.getByRole('cell').first().waitFor();
  await eventually(async () => (await page.getByText('The API does not answer.').count()) === 0);
  t.equal(await page.getByRole('alert').count(), 0, 'no error is left');
  await context.close();
});

t.test('the pages asked nobody but this server, and nothing was refused', async (t) => {
  t.ok(contexts.length > 5);
  for (const { watch } of contexts) {
    t.strictSame(watch.foreign, []);
    t.strictSame(watch.refused, []);
  }
  const { headers } = await http(`${origin}/`, { headers: { accept: 'text/html' } });
  t.match(headers['content-security-policy'], /default-src 'self'/);
});
