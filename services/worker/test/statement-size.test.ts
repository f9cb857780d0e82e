import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import t from 'tap';
import { checkLog, createId, rowsOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

t.test('however much a round holds, no statement holds more than some thousands of checks', async (t) => {
  const setting = await setUp();
  t.teardown(() => setting.close());
  const { db, config } = setting;
  await db.$executeRaw`CREATE TABLE statement_sizes (checks INTEGER NOT NULL)`;
  await db.$executeRaw`CREATE FUNCTION note_size() RETURNS TRIGGER LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO statement_sizes SELECT count(*) FROM written; RETURN NULL; END $$`;
  await db.$executeRaw`CREATE TRIGGER note_size AFTER INSERT ON check_logs REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_size()`;
  const account = createId('acc');
  const logs = Array.from({ length: 9_000 }, () => checkLog({ account_id: account }));
  const rows = rowsOf(logs, { storage: 'full', hashSecret: config.EMAIL_HASH_SECRET });
  t.equal(await persistChecks(db, rows), 9_000);
  t.equal(await persistChecks(db, rows), 0, 'again: nothing');
  t.strictSame(await setting.counts(account), { rows: 9_000, counted: 9_000, adjusted: 0 });
  const sizes = await db.$queryRaw<{ checks: number }[]>`SELECT checks FROM statement_sizes`;
  t.ok(
    sizes.every(({ checks }) => checks <= 4_000),
    sizes.map(({ checks }) => checks).join(', '),
  );
});
