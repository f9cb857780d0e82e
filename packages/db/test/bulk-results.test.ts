import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { readBulkResults } from '../src/bulk/bulk-results.js';
import { connectDatabase, type Database } from '../src/database/client.js';

const ROWS = 20_000;
const PAGE = { after: 10_000, countMax: 1_000, bytesMax: 256 * 1024 };

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});
await db.account.create({ data: { id: 'acc_1', name: 'a', plan: 'free' } });
for (const id of ['job_1', 'job_2', 'job_3']) {
  const data = { id, accountId: 'acc_1', keyId: 'key_1', format: 'csv', expiresAt: new Date('2100-01-01') };
  await db.bulkJob.create({ data });
  await db.$executeRaw`INSERT INTO bulk_addresses (job_id, number, decision)
    SELECT ${id}, n, CASE n % 4 WHEN 0 THEN 'block' ELSE 'allow' END FROM generate_series(1, ${ROWS}::int) n`;
  await db.$executeRaw`INSERT INTO bulk_rows (job_id, row, address, cells)
    SELECT ${id}, n, n, '["' || n || '@example.com"]' FROM generate_series(1, ${ROWS}::int) n`;
}

/** How many rows of both tables this connection has read lately; a transaction sees them all, so the difference counts. */
const rowsRead = async (connection: Pick<Database, '$queryRaw'>): Promise<number> => {
  const [read] = await connection.$queryRaw<{ rows: number }[]>`
    SELECT sum(seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables
    WHERE relname IN ('bulk_rows', 'bulk_addresses')`;
  return read?.rows ?? 0;
};

for (const [name, filter, last] of [
  ['a page', {}, 11_000],
  ['a page of one decision', { decisions: ['block'] }, 14_000],
] as const)
  t.test(`${name} reads its own rows alone, in tables that were never analysed too`, (t) =>
    db.$transaction(async (transaction) => {
      const before = await rowsRead(transaction);
      const rows = await readBulkResults(transaction as Database, 'job_2', filter, PAGE);
      t.equal(rows.length, PAGE.countMax);
      t.equal(rows.at(-1)?.row, last);
      t.equal((await rowsRead(transaction)) - before, 2 * (last - PAGE.after), 'each with its address');
    }),
  );
