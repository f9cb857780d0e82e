import { rebuildUsage } from '@verdict/db/billing/billing-months.js';
import { reconciledTo } from '@verdict/db/billing/reconciled-to.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { encodeTime } from '@verdict/domain/id.js';
import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { readPlans } from '@verdict/service-kit/plans-file.js';
import t from 'tap';
import { closeMonth } from '../src/close-month.js';
import { daysOf } from '../src/days-of.js';
import { reconcileNew } from '../src/reconcile-new.js';
import { checkLog, createId, rowsOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db } = setting;
const plans = readPlans(inRoot('config/plans.json'));
const id = createId('acc');
await db.account.create({
  data: { id, name: id, plan: 'free', createdAt: new Date('2026-01-01T00:00:00Z') },
});
// A month that is over, so that it can be closed.
const month = addMonths(monthOf(new Date()), -1);
const at = (day: string, time = '10:20:00') => new Date(`${month}-${day}T${time}Z`);
const check = (day: string) =>
  persistChecks(
    db,
    rowsOf([checkLog({ account_id: id, created_at: `${month}-${day}T10:00:01.000001+00:00` })]),
  );
const drift = (day: string, by: number) =>
  db.$executeRaw`UPDATE usage_hourly SET checks = checks + ${by} WHERE account_id = ${id} AND hour = ${`${month}-${day}T10:00:00Z`}::timestamptz`;

t.test('hours are split at midnight, and each belongs to one day', (t) => {
  const days = [...daysOf({ start: at('03', '22:00:00'), end: at('05', '01:00:00') })];
  t.strictSame(
    days.map(({ start, end }) => [start.toISOString().slice(8, 13), end.toISOString().slice(8, 13)]),
    [
      ['03T22', '04T00'],
      ['04T00', '05T00'],
      ['05T00', '05T01'],
    ],
  );
  t.strictSame([...daysOf({ start: at('03'), end: at('03') })], []);
  t.end();
});

t.test('finished hours are compared once', async (t) => {
  await check('02');
  t.strictSame(await reconcileNew(setting, month, at('03')), []);
  t.strictSame(await reconciledTo(db, month), at('03', '10:00:00'), 'up to the hour that runs');
  await drift('02', 1);
  t.strictSame(await reconcileNew(setting, month, at('04')), [], 'an hour that agreed is not read again');
  await drift('02', -1);
});

t.test('an hour that differs is reported until it is repaired', async (t) => {
  await check('05');
  await drift('05', 2);
  const wrong = { accountId: id, kind: 'rollup', expected: 1, found: 3, repaired: false };
  t.match(await reconcileNew(setting, month, at('06')), [wrong]);
  t.match(await reconcileNew(setting, month, at('07')), [wrong]);
  t.strictSame(await reconciledTo(db, month), at('05', '00:00:00'), 'days before it are done');
  await rebuildUsage(db, month);
  t.strictSame(await reconcileNew(setting, month, at('07')), []);
  t.strictSame(await reconciledTo(db, month), at('07', '10:00:00'));
});

t.test('a log id with two rows is found in the hours that it was made in', async (t) => {
  const log = checkLog({ account_id: id, created_at: `${month}-08T10:00:01.000001+00:00` });
  const made = { ...log, id: `log_${encodeTime(at('08').getTime())}${log.id.slice(-16)}` };
  await persistChecks(db, rowsOf([made]));
  // As in a month that had doubles before the index was made.
  await db.$executeRawUnsafe(`DROP INDEX check_logs_${month.replace('-', '_')}_one_row_per_id`);
  await db.$executeRaw`
    INSERT INTO check_logs SELECT id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id,
      created_at + interval '1 day', verdict_score FROM check_logs WHERE id = ${made.id}`;
  t.match(await reconcileNew(setting, month, at('09', '00:00:00')), [
    { accountId: id, kind: 'double', expected: 1, found: 2 },
  ]);
  await db.$executeRaw`DELETE FROM check_logs WHERE id = ${made.id} AND created_at >= ${at('09', '00:00:00')}`;
  t.strictSame(await reconcileNew(setting, month, at('09', '00:00:00')), []);
});

t.test('a month that was closed is compared as a whole once more', async (t) => {
  const { end } = monthBounds(month);
  t.strictSame(await reconcileNew(setting, month, end), []);
  t.strictSame(await reconciledTo(db, month), end);
  await drift('02', 1);
  t.ok(await closeMonth(db, month, plans));
  t.equal(await reconciledTo(db, month), null);
  t.match(await reconcileNew(setting, month, end), [
    { accountId: id, kind: 'rollup', expected: 1, found: 2 },
  ]);
  await rebuildUsage(db, month);
  t.strictSame(await reconcileNew(setting, month, end), []);
  t.strictSame(await reconciledTo(db, month), end);
});
