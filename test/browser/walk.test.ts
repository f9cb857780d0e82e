import { eventually } from '@verdict/local-stack/eventually.js';
import type { Locator } from 'playwright-core';
import t, { type Test } from 'tap';
import { checksStored } from './fill-account.js';
import { openDashboard, visit } from './open-dashboard.js';

// The walk of a customer with its clicks counted: a link, a field, an option and a button are one each.

const { account, origin, open, test } = await openDashboard(t);

const PROMO = { email: 'kim+promo@gmail.com', ip: '5.9.12.77' };
/** As PROMO but for the domain, which the rule leaves out. */
const PARTNER = { email: 'kim+promo@outlook.com', ip: '5.9.12.78' };
const REFUSED = 'maria.keller@trashmail.de';

/** A page that counts each touch of it. */
async function startWalk(t: Test) {
  const page = await open(t);
  let clicks = 0;
  const touch = (act: Promise<unknown>) => {
    clicks += 1;
    return act;
  };
  return {
    page,
    clicks: () => clicks,
    click: (target: Locator) => touch(target.click()),
    choose: (target: Locator, option: string) => touch(target.selectOption(option)),
    type: (target: Locator, text: string) => touch(target.fill(text)),
    reload: () => touch(page.reload()),
  };
}

const check = async (json: object) =>
  (await account.api<{ id: string; decision: string }>('check/', { json })).body;
const entry = (name: string) => ({ name, exact: true });

test('a rule for +tags from hosting except a partner is live and seen to work after at most 12 clicks', async (t) => {
  t.equal((await check(PROMO)).decision, 'allow');
  await checksStored(account, 1);
  const { page, click, choose, type, reload, clicks } = await startWalk(t);
  const main = page.getByRole('main');
  const button = (name: string) => page.getByRole('button', entry(name));
  await visit(page, origin, 'Overview');
  await click(page.getByRole('navigation', entry('Main')).getByRole('link', entry('Checks')));
  await click(main.getByRole('link', entry(PROMO.email)));
  await click(page.getByRole('dialog').getByRole('link', entry('Make a rule')));
  const conditions = main.getByRole('group', { name: /^Condition \d/ });
  await main.getByText(/If .*PLUS_TAG.*hosting.*: at least challenge$/).waitFor();
  const before = await conditions.count();
  await click(button('Add condition'));
  const last = conditions.nth(before);
  await choose(last.getByLabel('Field'), 'domain');
  await choose(last.getByLabel('Comparison'), 'ne');
  await type(last.getByLabel('Value'), 'outlook.com');
  await click(button('Save as new version'));
  await click(button('Make live'));
  await click(page.getByRole('dialog').getByRole('button', entry('Make version 1 live')));
  await page.getByText('Version 1 is live').waitFor();

  t.equal((await check(PROMO)).decision, 'challenge', 'holds with the next check');
  t.equal((await check(PARTNER)).decision, 'allow', 'the partner is left alone');
  await checksStored(account, 3);
  // Counts of matches are written with the checks.
  await reload();
  await main.getByText(/^Matched 1 today, 1 in 7 days\./).waitFor();
  t.comment(`${clicks()} clicks`);
  t.ok(clicks() <= 12, `${clicks()} clicks`);
});

test('a refused address is found by its beginning and let in, and the page never says otherwise', async (t) => {
  t.equal((await check({ email: REFUSED })).decision, 'block');
  await checksStored(account, 4);
  const { page, click, type, clicks } = await startWalk(t);
  const main = page.getByRole('main');
  const panel = page.getByRole('dialog');
  await visit(page, origin, 'Overview');
  await click(page.getByRole('navigation', entry('Main')).getByRole('link', entry('Checks')));
  await type(main.getByLabel('Address, domain, IP or id'), 'maria');
  const rows = main.getByRole('table', { name: 'Checks' }).locator('[data-row]');
  await eventually(async () => (await rows.count()) === 1);
  await click(main.getByRole('link', entry(REFUSED)));
  const now = panel.getByText(/, (the same decision|another decision than then)$/);
  await panel.getByText('the same decision').waitFor();
  await click(panel.getByRole('button', entry('Allow…')));
  await click(
    page.getByRole('dialog', { name: 'Add to the allow list' }).getByRole('button', entry('Add entry')),
  );
  await panel.getByText(`${REFUSED} is on your allow list`).waitFor();
  await panel.getByText('another decision than then').waitFor();
  t.match(await now.textContent(), /^allow 0, another decision/, 'what it would get now');
  t.equal((await check({ email: REFUSED })).decision, 'allow', 'and what it gets');
  t.comment(`${clicks()} clicks`);
  t.ok(clicks() <= 5, `${clicks()} clicks`);
});
