import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import { axeFindings } from './axe-findings.js';
import { becomes } from './becomes.js';
import { actAs, checksStored, makeChecks } from './fill-account.js';
import { openDashboard, visit } from './open-dashboard.js';

// An attack as one customer sees it: from Overview to the checks behind it, stopped there and let go again.

const { account, origin, open, test } = await openDashboard(t);
const page = await open(t);
const main = page.getByRole('main');
const dialog = page.getByRole('dialog');
const BATCH = 100;

/** 300 sign-ups from 250 addresses of one network: ten mailboxes under many spellings, and numbered names. */
const ATTACK = Array.from({ length: 300 }, (_, n) => ({
  email: n < 200 ? `bot${n % 10}+${n}@gmail.com` : `bonus${n}@freemail-offers.com`,
  ip: `5.9.12.${n % 250}`,
}));

async function attack() {
  for (let made = 0; made < ATTACK.length; made += BATCH) {
    const json = { items: ATTACK.slice(made, made + BATCH) };
    const answer = await eventually(async () => {
      const one = await account.api('check/batch/', { json });
      return one.status !== 429 && one.status !== 503 && one;
    });
    if (answer.status !== 200) throw new Error(answer.text);
  }
}

const decisionOf = async (email: string, ip: string) =>
  (await account.api<{ decision: string }>('check/', { json: { email, ip } })).body.decision;

test('300 sign-ups of one network are on Overview, stopped in two clicks and let go in one', async (t) => {
  await makeChecks(account, 5);
  await visit(page, origin, 'Overview');
  t.equal(await main.getByRole('heading', { name: 'Repeated sign-ups under way' }).count(), 0);
  await attack();
  // The page is not reloaded.
  await main.getByRole('heading', { name: 'Repeated sign-ups under way' }).waitFor();
  const card = main.getByRole('article');
  await card.getByRole('heading', { name: 'Network 5.9.12.0/24' }).waitFor();
  await card.getByText('300 checks').first().waitFor();
  await becomes(t, () => card.getByRole('list', { name: 'Examples' }).getByRole('link').count(), 5);
  t.strictSame(await axeFindings(page, { within: 'main' }), []);

  t.equal(await decisionOf('anna.schmidt@gmail.com', '5.9.12.77'), 'allow');
  await card.getByRole('button', { name: 'Challenge for 24 h…' }).first().click();
  await dialog.getByText(/Last 30 days: 30\d checks; \d+ of them were allowed/).waitFor();
  await dialog.getByRole('button', { name: 'Challenge for 24 h' }).click();
  const undo = card.getByRole('button', { name: 'Undo challenge' });
  await undo.waitFor();
  t.equal(await decisionOf('anna.schmidt@gmail.com', '5.9.12.78'), 'challenge');
  t.equal(await decisionOf('anna.schmidt@gmail.com', '198.51.100.7'), 'allow', 'and of no other network');
  const { live } = await actAs<{ live: { version: number } }>(account, 'policies/live/', {});
  const { policy } = await actAs<{ policy: { rules: { ends_at: string; when: object }[] } }>(
    account,
    `policies/${live.version}/`,
    {},
  );
  t.match(policy.rules, [{ when: { all: [{ field: 'ip.network', op: 'eq', value: '5.9.12.0/24' }] } }]);
  const lasts = Date.parse(policy.rules[0]?.ends_at ?? '') - Date.now();
  t.ok(lasts > 23 * 3_600_000 && lasts <= 24 * 3_600_000, 'it ends after a day');

  await undo.click();
  await undo.waitFor({ state: 'detached' });
  t.equal(await decisionOf('anna.schmidt@gmail.com', '5.9.12.79'), 'allow');
});

test('what repeats beside it is challenged by a rule of its kind, before the other rules', async (t) => {
  await visit(page, origin, 'Overview');
  const domain = main.getByRole('list', { name: 'Also repeated' }).getByRole('listitem').filter({
    hasText: 'Domain freemail-offers.com',
  });
  await domain.getByRole('button', { name: 'Challenge for 24 h…' }).click();
  await dialog.getByText(/Last 30 days: 100 checks/).waitFor();
  await dialog.getByRole('button', { name: 'Challenge for 24 h' }).click();
  await domain.getByRole('button', { name: 'Undo challenge' }).waitFor();
  const rules = async () =>
    (await actAs<{ live: { rules: { rule: string }[] } | null }>(account, 'policies/live/', {})).live?.rules;
  t.match(await rules(), [{ rule: 'Challenge freemail-offers.com for 24 h' }]);
  t.equal(await decisionOf('anna@freemail-offers.com', '192.0.2.1'), 'challenge');
  await domain.getByRole('button', { name: 'Undo challenge' }).click();
  await domain.getByRole('button', { name: 'Challenge for 24 h…' }).waitFor();
  t.equal(await rules(), undefined, 'no version is live, as before');
});

test('checks are grouped, and a group leads to its checks', async (t) => {
  await checksStored(account, ATTACK.length + 5);
  await visit(page, `${origin}/`, 'Overview');
  await main
    .locator('dl > div')
    .filter({ hasText: 'Same mailbox, many spellings' })
    .getByRole('link')
    .click();
  await page.waitForURL(/reason=ALIAS_BURST/);
  await visit(page, `${origin}/checks?by=network`, 'Checks');
  const table = page.getByRole('table', { name: 'Checks by network' });
  await page.getByRole('img', { name: /^Checks by (hour|day)/ }).waitFor();
  t.strictSame(await axeFindings(page, { within: 'main' }), []);
  await table.getByRole('link', { name: '5.9.12.0/24' }).click();
  await page.waitForURL(/q=5\.9\.12\.0(%2F|\/)24/);
  const rows = page.getByRole('table', { name: 'Checks' }).locator('tbody tr');
  await rows.first().waitFor();
  await page.getByLabel('Group by').selectOption('reason');
  await page
    .getByRole('table', { name: 'Checks by reason' })
    .getByRole('link', { name: 'ALIAS_BURST' })
    .click();
  await page.waitForURL(/reason=ALIAS_BURST/);
  await page.getByRole('button', { name: 'Remove the filter Reason ALIAS_BURST' }).click();
  await page.waitForURL((url) => !url.search.includes('reason'));
});

test('a text that begins an address finds it, and one that nothing can begin with empties the table', async (t) => {
  await visit(page, `${origin}/checks`, 'Checks');
  const rows = page.getByRole('table', { name: 'Checks' }).locator('tbody tr');
  const search = page.getByLabel('Address, domain, IP or id');
  await search.fill('bonus29');
  await page.waitForURL(/q=bonus29/);
  await page.getByText('bonus299@freemail-offers.com').waitFor();
  await becomes(t, () => rows.count(), 10, 'bonus290 to bonus299');
  await search.fill('bonus 29');
  await page.getByText('Addresses, domains and IPs have no spaces.').first().waitFor();
  t.equal(await rows.count(), 0, 'no row stays as if it matched');
  t.equal(await page.getByRole('alert').count(), 0);
});

test('abuse proposes a rule for the network, which is dismissed, brought back and accepted', async (t) => {
  const { logs } = await actAs<{ logs: { id: string }[] }>(
    account,
    'dashboard/logs/?network=5.9.12.0/24&begins=bonus&limit=20',
    {},
  );
  await actAs(account, 'outcomes/', { json: { items: logs.map(({ id }) => ({ id, outcome: 'abuse' })) } });
  await visit(page, `${origin}/rules/lists?list=block`, 'Lists');
  const row = page
    .getByRole('table', { name: 'Proposals' })
    .getByRole('row')
    .filter({ hasText: 'Network 5.9.12.0/24' });
  await row.waitFor();
  t.strictSame(await axeFindings(page, { within: 'main' }), []);
  await row.getByRole('button', { name: 'Dismiss' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.getByRole('button', { name: 'Challenge…' }).click();
  await dialog.getByText(/Last 30 days: \d+ checks; /).waitFor();
  await dialog.getByRole('button', { name: 'Challenge', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  const { live } = await actAs<{ live: { rules: { rule: string }[] } }>(account, 'policies/live/', {});
  t.match(live.rules, [{ rule: 'Challenge 5.9.12.0/24' }]);
});

test('a person is erased from the page that saves their file', async (t) => {
  const email = 'bonus299@freemail-offers.com';
  await visit(page, `${origin}/settings/account`, 'Account');
  await page.getByLabel('Address of the person').fill(email);
  await main.getByRole('button', { name: 'Erase…' }).click();
  const erase = dialog.getByRole('button', { name: 'Erase', exact: true });
  t.ok(await erase.isDisabled(), 'the address is typed again first');
  await dialog.getByLabel('Address', { exact: true }).fill(email);
  await erase.click();
  await main.getByText(/Erased(?: so far)?: 1 check/).waitFor();
  const { logs } = await actAs<{ logs: object[] }>(account, 'dashboard/logs/?begins=bonus299', {});
  t.strictSame(logs, []);
});
