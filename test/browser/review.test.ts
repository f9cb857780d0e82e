import t from 'tap';
import { axeFindings } from './axe-findings.js';
import { actAs, checksStored } from './fill-account.js';
import { DESK, openDashboard, visit } from './open-dashboard.js';
import { settled } from './settled.js';

// A person decides checks that wait for review by keys, and sees what later lists make of old checks.

const PHONE = { width: 390, height: 740 };
const { account, origin, open, test } = await openDashboard(t);
await actAs(account, 'policies/', {
  json: {
    rules: [
      {
        name: 'A person decides',
        when: { all: [{ field: 'score', op: 'gte', value: 0 }] },
        then: { exactly: 'review' },
      },
    ],
  },
});
await actAs(account, 'policies/live/', { method: 'PUT', json: { version: 1 } });
for (const email of ['ann@first.example', 'bob@second.example', 'eve@third.example'])
  await account.api('check/', { json: { email, ip: '203.0.113.7' } });
await checksStored(account, 3);
const page = await open(t);
const panel = page.getByRole('dialog');
const waiting = page.getByRole('table', { name: 'Checks to review' });

test('checks are decided by keys, one after the other, and the queue ends', async (t) => {
  await visit(page, `${origin}/`, 'Overview');
  await page.getByRole('link', { name: '3 to review' }).click();
  await waiting.getByRole('row').nth(3).waitFor();
  t.strictSame(await axeFindings(page), [], 'the queue passes axe');
  await page.getByRole('button', { name: 'Start reviewing' }).click();
  await panel.getByText('ann@first.example').first().waitFor();
  await settled(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    t.strictSame(
      await axeFindings(page, { within: '[role="dialog"]' }),
      [],
      `a check passes axe, ${colorScheme}`,
    );
  }
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'bob@second.example' }).waitFor();
  await page.keyboard.press('k');
  await page.getByRole('heading', { name: 'ann@first.example' }).waitFor();
  await panel.getByRole('button', { name: 'Genuine' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('g');
  await page.getByText('Genuine: ann@first.example').waitFor();
  await page.getByRole('heading', { name: 'bob@second.example' }).waitFor();
  await panel.getByRole('button', { name: 'Block…' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('b');
  const dialog = page.getByRole('dialog', { name: 'Add to the block list' });
  await dialog.getByText('Last 30 days').first().waitFor();
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  await page.getByText('Abuse: bob@second.example').waitFor();
  await page.getByRole('heading', { name: 'eve@third.example' }).waitFor();
  await panel.getByRole('button', { name: 'Abuse' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('a');
  await page.getByText('Nothing to review').waitFor();
  const outcomes = await account.sql<{ outcome: string }>(
    'SELECT outcome FROM outcomes WHERE account_id = $1 ORDER BY outcome',
    [account.accountId],
  );
  t.strictSame(
    outcomes.map(({ outcome }) => outcome),
    ['abuse', 'abuse', 'genuine'],
  );
  t.equal(
    (await account.sql('SELECT FROM list_entries WHERE account_id = $1', [account.accountId])).length,
    1,
  );
});

test('second looks list what later lists would decide, and fit a phone', async (t) => {
  await account.sql(
    `WITH look AS (
       INSERT INTO second_looks (id, changed_at, release, base, status, names, from_at, to_at, cursor_at)
       VALUES ('lok_' || $1, $1, '2026-11-17', '2026-11-16', 'done', '{}', now(), now(), now()) RETURNING id)
     INSERT INTO revisions (id, look_id, account_id, key_id, checked_at, from_decision, to_decision, risk_score, codes, release)
     SELECT l.id, look.id, l.account_id, l.key_id, l.created_at, 'allow', 'block', 90, '{DISPOSABLE_DOMAIN}', '2026-11-17'
     FROM check_logs l, look WHERE l.account_id = $1`,
    [account.accountId],
  );
  await visit(page, `${origin}/`, 'Overview');
  await page.getByText('We changed our mind about 3 sign-ups').waitFor();
  await page.getByRole('link', { name: 'See which' }).click();
  const looks = page.getByRole('table', { name: 'Second looks' });
  await looks.getByRole('row').nth(3).waitFor();
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size);
    t.strictSame(await axeFindings(page), [], `second looks pass axe at ${size.width} px`);
    const overhang = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    t.equal(overhang, 0, `and fit into ${size.width} px`);
  }
  await looks.getByRole('button', { name: 'Abuse' }).nth(2).click();
  await page.getByText(/^Abuse: /).waitFor();
  await visit(page, `${origin}/rules/scoring`, 'Scoring');
  await page.getByLabel('Count by').selectOption('decision');
  const precision = page.getByRole('table', { name: 'Outcomes by decision' });
  await precision.getByRole('row', { name: /review 3/ }).waitFor();
  t.strictSame(await axeFindings(page, { within: 'main' }), [], 'what outcomes say passes axe');
  await page.goBack();
  await looks.getByRole('link').first().click();
  await panel.getByText('Second look', { exact: true }).waitFor();
});
