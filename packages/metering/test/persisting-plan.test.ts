import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { checkLog, createId, rowsOf } from './support/check-log.js';

/** Postgres compares five plans for their values with one for all values before it keeps that one. */
const ROUNDS = 8;

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test', connectionsMax: 1 });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});

t.test('checks are persisted by one plan, which finds doubles by the index of an empty month', async (t) => {
  const account_id = createId('acc');
  await db.account.create({ data: { id: account_id, name: account_id, plan: 'free' } });
  for (let i = 0; i < ROUNDS; i++) await persistChecks(db, rowsOf([checkLog({ account_id })]));
  const [kept] = await db.$queryRaw<{ generic: bigint; parameters: string[] }[]>`
    SELECT generic_plans AS generic, parameter_types::text[] AS parameters
    FROM pg_prepared_statements WHERE name = 'persist_checks'`;
  t.ok(kept && kept.generic > 0n, 'the plan is kept');
  const span = [`'-infinity'`, `'infinity'`]; // without it no month would be looked into
  const values = kept?.parameters.map((type) => (type.startsWith('timestamp') ? span.shift() : 'NULL'));
  await db.$executeRaw`SET plan_cache_mode = force_generic_plan`;
  const lines = await db.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(
    `EXPLAIN EXECUTE persist_checks(${values})`,
  );
  const plan = lines.map((line) => line['QUERY PLAN']);
  t.match(plan.join('\n'), /(Index|Bitmap)[^\n]* Scan[^\n]* on check_logs/);
  t.notOk(
    plan.some((line) => line.includes('Seq Scan on check_logs')),
    'no month is read whole',
  );
});
