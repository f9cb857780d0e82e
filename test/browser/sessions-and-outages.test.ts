import { readFileSync } from 'node:fs';
import { API_PREFIX } from '@verdict/contracts/api-paths.js';
import { REFRESH_COOKIE, REFRESH_COOKIE_PATH } from '@verdict/contracts/dashboard/auth-api.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import type { Page, Route } from 'playwright-core';
import t from 'tap';
import { startHttpProxy } from '../harness/start-http-proxy.js';
import { actAs, checksStored, makeChecks } from './fill-account.js';
import { goTo } from './go-to.js';
import { fillLogin } from './log-in.js';
import { heading, openDashboard, visit } from './open-dashboard.js';

// Sessions that expire or end, slow answers, and a server that is down.

const { account, origin, newAccount, open, test } = await openDashboard(t);
await makeChecks(account, 60);
let proxy = await startHttpProxy(origin);
t.teardown(() => proxy.stop());
const page = await open(t, { at: proxy.url });

test('an export shows its progress, arrives complete and can be stopped', async (t) => {
  await page.goto(`${proxy.url}/checks`);
  const start = page.getByRole('button', { name: 'Export CSV' });
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
  const file = readFileSync(await (await downloading).path(), 'utf8');
  const stored = await checksStored(account, 60);
  t.equal(file.trimEnd().split('\r\n').length, stored + 1, 'every check, and the names of the columns');

  await begin();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await start.waitFor();
  proxy.release();
  t.equal(await page.getByText('Could not create the file').count(), 0, 'to stop is no error');
});

test('a user who leaves a page during a token refresh is still logged in later', async (t) => {
  const cookies = () => page.context().cookies(`${proxy.url}${REFRESH_COOKIE_PATH}`);
  const token = async () => (await cookies()).find(({ name }) => name === REFRESH_COOKIE)?.value;
  const traded = proxy.hold(`${REFRESH_COOKIE_PATH}jwt/refresh/`, 'all');
  await page.goto(`${proxy.url}/developers/keys`, { waitUntil: 'commit' });
  await traded;
  const before = await token();
  await page.goto('about:blank');
  proxy.release();
  await eventually(async () => (await token()) !== before);
  // Ends the grace period, in which the server still accepts a token it has just replaced.
  await account.sql(
    `UPDATE sessions SET used_at = used_at - interval '1 hour' FROM users WHERE users.id = user_id AND email = $1`,
    [account.email],
  );
  await page.goto(`${proxy.url}/developers/keys`);
  await heading(page, 'Keys').waitFor();
  t.not(await token(), before);
});

test('a page says when the API is down and recovers by itself', async (t) => {
  const ahead = page.waitForResponse(/AuditPage-[\w-]+\.js$/);
  await visit(page, `${proxy.url}/settings/account`, 'Account');
  // A response begins before its script, and what that imports, has arrived.
  await page.evaluate((url) => import(url), (await ahead).url());
  await proxy.stop();
  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await page.getByText('Cannot reach Verdict.').first().waitFor();
  proxy = await startHttpProxy(origin, Number(new URL(proxy.url).port));
  await page.getByRole('cell').first().waitFor();
  await eventually(async () => (await page.getByText('Cannot reach Verdict.').count()) === 0);
  t.equal(await page.getByRole('alert').count(), 0, 'no error is left');
});

test('a page whose script never came says that the API is down and recovers by itself', async (t) => {
  const script = /AuditPage-[\w-]+\.js$/;
  await page.route(script, (route) => route.abort());
  await visit(page, `${proxy.url}/settings/account`, 'Account');
  await proxy.stop();
  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await page.getByText('Cannot reach Verdict.').first().waitFor();
  await page.unroute(script);
  proxy = await startHttpProxy(origin, Number(new URL(proxy.url).port));
  await page.getByRole('cell').first().waitFor();
  t.equal(await page.getByRole('alert').count(), 0, 'no error is left');
});

test('pages that failed to load while the control plane was away come back without a click', async (t) => {
  const stack = await startStack();
  t.teardown(() => stack.stop());
  const at = stack.gateways[0]?.url ?? '';
  const script = /AuditPage-[\w-]+\.js$/;
  const [unscripted, unread] = await Promise.all([open(t, { as: stack, at }), open(t, { as: stack, at })]);
  await unscripted.route(script, (route) => route.abort());
  const ahead = unread.waitForResponse(script);
  const account = `${at}/settings/account`;
  await Promise.all([visit(unscripted, account, 'Account'), visit(unread, account, 'Account')]);
  await unread.evaluate((url) => import(url), (await ahead).url());
  await stack.controlPlane.kill();
  await unscripted.unroute(script);
  for (const tab of [unscripted, unread]) {
    await tab.getByRole('link', { name: 'Audit', exact: true }).click();
    await tab.getByRole('alert').filter({ hasText: 'Retrying every two seconds.' }).waitFor();
  }
  await stack.controlPlane.restart();
  for (const tab of [unscripted, unread]) {
    await tab.getByRole('cell').first().waitFor();
    await eventually(async () => (await tab.getByRole('alert').count()) === 0);
    const styles = await tab.evaluate<string[]>('[...document.styleSheets].map((sheet) => sheet.href ?? "")');
    t.ok(
      styles.some((href) => href.includes('PagedTable')),
      'its style sheets came too',
    );
  }
});

test('a first visit logs no failed request', async (t) => {
  const visitor = await open(t, { as: null });
  const failed: string[] = [];
  visitor.on('response', (answer) => {
    if (answer.status() >= 400) failed.push(`${answer.status()} ${answer.url()}`);
  });
  await visitor.goto(`${origin}/`);
  await heading(visitor, 'Know which sign-ups to trust').waitFor();
  await visitor.getByRole('link', { name: 'Log in' }).click();
  await heading(visitor, 'Log in').waitFor();
  t.strictSame(failed, []);
});

test('two tabs share a session, refresh it side by side and log out together', async (t) => {
  const one = await open(t);
  const two = await one.context().newPage();
  const both = (first: string, second: string) =>
    Promise.all([heading(one, first).waitFor(), heading(two, second).waitFor()]);
  await Promise.all([one.goto(`${origin}/`), two.goto(`${origin}/developers/keys`)]);
  await both('Overview', 'Keys');
  await Promise.all([one.reload(), two.reload()]);
  await both('Overview', 'Keys');
  t.pass('both are logged in after a reload, which drops the access token');

  // Expires the token of both tabs: the next request of each gets a 401 and is sent again after a refresh.
  let refused = 0;
  const goOn = async (tab: Page, name: string, path: string) => {
    const refuse = (route: Route) => {
      refused += 1;
      return route.fulfill({ status: 401, json: { success: false } });
    };
    await tab.route((url) => url.pathname === path, refuse, { times: 1 });
    const answered = tab.waitForResponse((answer) => answer.url().includes(path) && answer.ok());
    await goTo(tab, name);
    await answered;
  };
  await Promise.all([
    goOn(one, 'Lists', `${API_PREFIX}/lists/allow/`),
    goOn(two, 'Audit', `${API_PREFIX}/dashboard/audit/`),
  ]);
  await both('Lists', 'Audit');
  t.equal(refused, 2, 'both are logged in after their tokens expired');

  await two.getByRole('button', { name: 'You and your settings' }).click();
  await two.getByRole('menuitem', { name: 'Log out' }).click();
  await both('Log in', 'Log in');
});

test('an ended session leads to the login page and back', async (t) => {
  const user = await newAccount();
  const page = await open(t, { as: user });
  await visit(page, `${origin}/settings/account`, 'Account');
  await actAs(user, 'auth/sessions/', { method: 'DELETE' });
  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await heading(page, 'Log in').waitFor();
  await page.getByText('Your session has ended.').waitFor();
  await fillLogin(page, user);
  await heading(page, 'Audit').waitFor();
});
