import { freezeMonth } from '@verdict/db/billing/close-month.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { readPlans } from '@verdict/service-kit/plans-file.js';
import t from 'tap';
import { closeMonth } from '../src/close-month.js';
import { reconcile } from '../src/reconcile.js';
import { checkLog, createId, rowsOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db } = setting;
const plans = readPlans(inRoot('config/plans.json'));
const running = monthOf(new Date());

const account = async (): Promise<string> => {
  const id = createId('acc');
  const createdAt = new Date('2026-01-01T00:00:00Z');
  await db.account.create({ data: { id, name: id, plan: 'free', createdAt } });
  return id;
};
const check = (accountId: string, month: string) =>
  checkLog({ account_id: accountId, created_at: `${month}-10T10:00:00.000001+00:00` });
const persistOne = (accountId: string, month: string) => persistChecks(db, rowsOf([check(accountId, month)]));
/** Resolves when so many sessions wait for another one, or when nothing is left to wait for. */
async function blocked(count: number, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  await eventually(async () => {
    const [row] = await db.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
    return isOver || row?.waiting === count;
  });
}
const statedOf = async (accountId: string, month: string): Promise<number | undefined> => {
  const rows = await db.$queryRaw<{ used: number }[]>`
    SELECT used::int FROM statements WHERE account_id = ${accountId} AND month = (${month} || '-01')::date`;
  return rows[0]?.used;
};

/** Runs `meanwhile` while a transaction that did `first` is open. */
const whileOpen = (first: (tx: typeof db) => Promise<unknown>, meanwhile: () => Promise<void>) =>
  db.$transaction(async (tx) => {
    await first(tx as typeof db);
    await meanwhile();
  });

t.test('closing a month waits for the checks that are being counted in it', async (t) => {
  const month = addMonths(running, -2);
  const id = await account();
  await persistOne(id, month);
  let working: Promise<unknown> = Promise.resolve();
  await whileOpen(
    (tx) => tx.$executeRaw`SELECT FROM usage_hourly WHERE account_id = ${id} FOR UPDATE`,
    async () => {
      const persisting = persistOne(id, month);
      await blocked(1, persisting);
      const closing = closeMonth(db, month, plans);
      working = Promise.all([persisting, closing]);
      await blocked(2, closing);
    },
  );
  await working;
  t.equal(await statedOf(id, month), 2);
  t.strictSame(await setting.counts(id), { rows: 2, counted: 2, adjusted: 0 });
  t.strictSame(await reconcile(setting, month), []);
});

t.test('checks that wait for a closing are billed beside the month', async (t) => {
  const month = addMonths(running, -1);
  const id = await account();
  await persistOne(id, month);
  let persisting: Promise<unknown> = Promise.resolve();
  await whileOpen(
    (tx) => tx.$queryRaw`SELECT freeze_billing_month((${month} || '-01')::date)`,
    async () => {
      persisting = persistOne(id, month);
      await blocked(1, persisting);
    },
  );
  await persisting;
  t.ok(await freezeMonth(db, month), 'its statements are to be written');
  await closeMonth(db, month, plans);
  t.equal(await statedOf(id, month), 1);
  t.strictSame(await setting.counts(id), { rows: 2, counted: 1, adjusted: 1 });
  t.strictSame(await reconcile(setting, month), []);
});
