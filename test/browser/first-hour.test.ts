import { randomBytes } from 'node:crypto';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import t from 'tap';
import { axeFindings } from './axe-findings.js';
import { checksStored } from './fill-account.js';
import { goTo } from './go-to.js';
import { fillLogin } from './log-in.js';
import { heading, openDashboard } from './open-dashboard.js';
import { settled } from './settled.js';
import { startWebhookReceiver } from './webhook-receiver.js';

// A new user registers, creates a key, checks an address, calls the API and receives webhooks.

const { account, origin, open, test } = await openDashboard(t);
const page = await open(t);

test('strangers log in first and then land on the page they asked for', async (t) => {
  const page = await open(t, { as: null });
  const answer = await page.goto(`${origin}/checks?decision=block`);
  t.match(answer?.headers()['content-security-policy'], /default-src 'self'/);
  await heading(page, 'Log in').waitFor();
  await fillLogin(page, { ...account, password: 'not the password' });
  await page.getByRole('alert').waitFor();
  t.strictSame(await axeFindings(page), [], 'the login page with an error passes axe');
  await fillLogin(page, account);
  await heading(page, 'Checks').waitFor();
  await settled(page);
  t.match(page.url(), /\/checks\?decision=block$/);
  const cookies = await page.context().cookies(`${origin}/api/v1/auth/`);
  t.match(
    cookies.find(({ name }) => name === 'verdict_refresh'),
    { httpOnly: true, sameSite: 'Strict' },
  );
  t.equal(await page.evaluate('document.cookie'), '', 'no script sees it');
  const stored = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })');
  t.notMatch(stored, /eyJ/, 'no token is stored');
  await page.goto(`${origin}/login?next=//evil.example/`);
  await heading(page, 'Overview').waitFor();
  t.ok(page.url().startsWith(`${origin}/`), 'nobody is sent to another host');
});

test('a new user registers, creates a key, checks, allow-lists, rolls and revokes the key, and upgrades', async (t) => {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const page = await open(t, { as: null });
  const go = (name: string) => goTo(page, name);
  const dialog = page.getByRole('dialog');
  await page.goto(`${origin}/register`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('vivid-otter-harbour-9');
  await page.getByRole('button', { name: 'Register' }).click();
  await heading(page, 'Overview').waitFor();
  await page.getByRole('heading', { name: 'Your first check, in three steps' }).waitFor();
  await page.getByLabel('Key name').fill('Sign-up form');
  await page.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('group', { name: 'Create a key' });
  const first = (await shown.textContent()) ?? '';
  for (const language of ['Node', 'Python', 'PHP']) {
    await page.getByText(language, { exact: true }).click();
    const guide = page.getByRole('link', { name: `${language} client` });
    t.equal(await guide.getAttribute('href'), `/docs/${language.toLowerCase()}`, 'says how to install it');
    t.match(await page.getByRole('group', { name: `The call: ${language}` }).textContent(), first);
  }
  const done = page.getByRole('button', { name: 'Done' });
  const shownValue = async () => (await page.getByRole('group', { name: 'The key' }).textContent()) ?? '';
  const check = (key: string) =>
    http<{ decision: string; log_id: string }>(`${origin}/api/v1/check/`, {
      headers: { 'x-api-key': key },
      json: { email: 'somebody@mailinator.com' },
    });
  t.equal((await check(first)).status, 200, 'the value that was shown works');
  // The verdict becomes the third step, the figures are fresh, and the key stays until it is stored.
  await page.getByRole('link', { name: 'See how the score adds up' }).waitFor();
  await page.getByText('1', { exact: true }).first().waitFor();
  const leave = page.getByRole('button', { name: 'Go to overview' });
  t.equal(await leave.isEnabled(), false, 'the key is stored first');
  t.equal(await shown.textContent(), first, 'and is still there');
  await page.getByLabel('I have stored the key').check();
  await leave.click();
  await page.getByRole('table', { name: 'Latest checks' }).waitFor();
  t.match(await page.getByRole('main').textContent(), /1of 1,000/, 'the month counts it');

  await go('Check an address');
  await page.getByLabel('Email address').fill('somebody@mailinator.com');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('article').getByText('block', { exact: true }).first().waitFor();
  t.strictSame(await axeFindings(page, { within: 'article' }), [], 'a verdict passes axe');

  await checksStored({ sql: account.sql, email }, 2);
  await go('Checks');
  const logs = page.getByRole('link', { name: 'somebody@mailinator.com' });
  await logs.nth(1).waitFor();
  await logs.first().click();
  await dialog.getByRole('button', { name: 'Allow…' }).click();
  const entry = page.getByRole('dialog', { name: 'Add to the allow list' });
  await entry.getByLabel('mailinator.com', { exact: true }).check();
  await entry.getByText('would have had a different decision').waitFor();
  t.match(await entry.getByLabel('Note (optional)').inputValue(), /^From log_/);
  t.strictSame(await axeFindings(page, { within: '[role="dialog"]' }), [], 'the dialog passes axe');
  await page.keyboard.press('Escape');
  await entry.waitFor({ state: 'hidden' });
  await dialog.getByRole('button', { name: 'Allow…' }).click();
  await entry.getByLabel('mailinator.com', { exact: true }).check();
  await entry.getByRole('button', { name: 'Add entry' }).click();
  await page.getByText('mailinator.com is on the allow list', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText('No entry for this address, domain or IP.').waitFor();
  await dialog.getByRole('button', { name: 'Allow…' }).click();
  await entry.getByLabel('mailinator.com', { exact: true }).check();
  await entry.getByRole('button', { name: 'Add entry' }).click();
  await dialog.getByText('mailinator.com is on your allow list').waitFor();
  t.strictSame(await axeFindings(page, { within: '[role="dialog"]' }), [], 'the details pass axe');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  t.equal((await check(first)).body.decision, 'allow', 'the same address is allowed now');
  await go('Lists');
  await page.getByRole('cell', { name: 'mailinator.com', exact: true }).waitFor();

  await go('Keys');
  const actions = page.getByRole('button', { name: 'Actions for Sign-up form' });
  for (const [act, said, status] of [
    ['Deactivate', 'Sign-up form deactivated', 403],
    ['Activate', 'Sign-up form activated', 200],
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
  await page.getByRole('menuitem', { name: 'Roll key' }).click();
  await dialog.getByRole('button', { name: 'Roll key' }).click();
  const second = await shownValue();
  await page.getByLabel('I have stored it').check();
  await done.click();
  t.not(second, first);
  const statuses = async () => [(await check(first)).status, (await check(second)).status];
  t.strictSame(await statuses(), [200, 200], 'both work for a while');

  await actions.click();
  await page.getByRole('menuitem', { name: 'Revoke key' }).click();
  const revoke = dialog.getByRole('button', { name: 'Revoke key' });
  t.equal(await revoke.isEnabled(), false, 'the name is asked for');
  await page.getByLabel('Key name').fill('Sign-up form');
  await revoke.click();
  await page.getByText('Sign-up form revoked').waitFor();
  t.strictSame(await statuses(), [403, 403], 'it holds at once');

  await go('Plan and invoices');
  await page.getByRole('button', { name: 'Change plan: starter' }).click();
  await dialog.getByText(/^Starts now with 25,000 checks a month\. This month: €/).waitFor();
  t.strictSame(await axeFindings(page, { within: '[role="dialog"]' }), [], 'a plan change passes axe');
  await dialog.getByRole('button', { name: 'Change to starter, €19 a month' }).click();
  await page.getByText('You are on the starter plan').waitFor();
  await go('Audit');
  await page.getByRole('cell', { name: 'Revoked a key' }).waitFor();
});

test('the API reference sends requests with an API key or with the session', async (t) => {
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Send request' }) });
  const trying = async (name: string, prepare?: () => Promise<void>) => {
    await page.getByRole('button', { name, exact: true }).click();
    await prepare?.();
    await form.getByRole('button', { name: 'Send request' }).click();
    await form.getByText(/^200 in \d+ ms$/).waitFor();
    return JSON.parse((await form.getByRole('group', { name: 'Response' }).textContent()) ?? '');
  };
  await page.goto(`${origin}/docs/reference#get--api-v1-usage-`);
  const usage = await trying('Try it: GET /api/v1/usage/', () =>
    page.getByLabel('API key', { exact: true }).fill(account.apiKey),
  );
  t.equal(usage.success, true);
  t.strictSame(await axeFindings(page, { within: 'article:has(form)' }), [], 'an open endpoint passes axe');
  await page.getByRole('button', { name: 'Close: GET /api/v1/usage/', exact: true }).click();
  // An expired access token is refreshed and the request is sent again.
  const refuse = { status: 401, json: { success: false } };
  await page.route('**/api/v1/auth/sessions/', (route) => route.fulfill(refuse), { times: 1 });
  await page.goto(`${origin}/docs/reference#get--api-v1-auth-sessions-`);
  const mine = await trying('Try it: GET /api/v1/auth/sessions/');
  t.ok(mine.sessions.some(({ current }: { current: boolean }) => current));
});

test('a webhook endpoint is added, tested, retried, rolled, disabled and deleted', async (t) => {
  const receiver = await startWebhookReceiver();
  t.teardown(() => receiver.stop());
  await page.goto(`${origin}/developers/webhooks`);
  await page.getByText('No endpoints yet').waitFor();
  await page.getByText('Nothing sent yet').waitFor();
  const panel = page.getByRole('dialog');
  const within = '[role="dialog"]';
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
  t.strictSame(await axeFindings(page, { within }), [], 'the form passes axe');
  await panel.getByRole('button', { name: 'Add endpoint' }).click();
  const first = await secretShown();
  t.match(first, /^whsec_/);

  await act('Send a test');
  await panel.getByText('answered 204').waitFor();
  await panel.getByText('delivered', { exact: true }).waitFor();
  t.equal(receiver.received.length, 1);
  await panel.getByText(receiver.received[0] ?? 'none').waitFor();
  t.match(page.url(), /\/webhooks\/whd_/, 'a delivery has an address of its own');
  t.strictSame(await axeFindings(page, { within }), [], 'a delivery passes axe');

  receiver.answer = { status: 500, body: 'the database is down' };
  await panel.getByRole('button', { name: 'Send again' }).click();
  await panel.getByText('answered 500').first().waitFor();
  await panel.getByText('the database is down').first().waitFor();
  receiver.answer = { status: 204 };
  await panel.getByRole('button', { name: 'Send again' }).click();
  await panel.getByText('delivered', { exact: true }).waitFor();
  t.equal(new Set(receiver.received).size, 1, 'the same event keeps its id');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });

  await act('Roll secret');
  await panel.getByRole('button', { name: 'Roll secret' }).click();
  await page.getByText('Messages also carry a signature of the old secret until').waitFor();
  t.not(await secretShown(), first);

  await act('Replay events');
  await panel.getByRole('button', { name: 'Replay events' }).click();
  await panel.waitFor({ state: 'hidden' });

  await page.getByLabel('Status').selectOption('failed');
  await page.waitForURL(/status=failed/);
  await page.getByText('No matching deliveries').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  const endpoints = page.getByRole('table', { name: 'Endpoints' });
  await act('Disable');
  await endpoints.getByText('disabled', { exact: true }).waitFor();
  await act('Enable');
  await endpoints.getByText('enabled', { exact: true }).waitFor();
  t.strictSame(await axeFindings(page, { within: 'main' }), [], 'endpoints and deliveries pass axe');

  await act('Delete endpoint');
  await page.getByLabel('URL of the endpoint').fill(receiver.url);
  await panel.getByRole('button', { name: 'Delete endpoint' }).click();
  await page.getByText('No endpoints yet').waitFor();
});
