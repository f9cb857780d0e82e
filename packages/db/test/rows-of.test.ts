import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { connectDatabase, type Database } from '../src/database/client.js';
import { clientRows } from '../src/database/client-rows.js';
import {
  columnsOf,
  entries,
  int,
  int8,
  list,
  nullable,
  oneOf,
  record,
  text,
} from '../src/database/columns.js';
import { rowsOf } from '../src/database/rows-of.js';
import { withConnection } from '../src/database/with-connection.js';
import { Prisma } from '../src/generated/client.js';

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
const asInProduction = new URL(database.url);
asInProduction.searchParams.delete('check_rows');
const unchecked = connectDatabase({ url: asInProduction.href, name: 'test' });
t.teardown(async () => {
  await Promise.all([db.$disconnect(), unchecked.$disconnect()]);
  await database.drop();
});

t.test('a row of its shape comes as it is', async (t) => {
  const shape = {
    id: text,
    count: int,
    sum: int8,
    missing: nullable(text),
    state: oneOf('open', 'closed'),
    names: list(text),
    document: record({ a: int, by: entries(int) }),
  };
  const [row] = await rowsOf(db, shape)`
    SELECT ${'x'} AS id, 1 AS count, 2::int8 AS sum, NULL AS missing, 'open' AS state,
      ARRAY['a'] AS names, '{"a": 1, "by": {"b": 2}}'::jsonb AS document`;
  t.strictSame(row, {
    id: 'x',
    count: 1,
    sum: 2n,
    missing: null,
    state: 'open',
    names: ['a'],
    document: { a: 1, by: { b: 2 } },
  });
});

t.test('a row of another shape fails in tests, with the column and the statement', async (t) => {
  const read = (on: Database) => rowsOf(on, { id: text, count: int })`SELECT 'x' AS id, 1::int8 AS count`;
  await t.rejects(read(db), { message: /count = 1n\nSELECT 'x' AS id/ }, 'an int8 is no int');
  await t.rejects(rowsOf(db, { id: text })`SELECT NULL AS id`, /id = null/, 'null where none may be');
  await t.rejects(rowsOf(db, { id: text, a: int })`SELECT 'x' AS id`, /a = undefined/, 'a column is missing');
  await t.rejects(rowsOf(db, { id: text })`SELECT 'x' AS id, 1 AS b`, /shape: b/, 'there is one more');
  await t.rejects(
    rowsOf(db, { document: record({ a: text }) })`SELECT '{"a": 1}'::jsonb AS document`,
    /document = \{ a: 1 \}/,
    'in JSON',
  );
  t.strictSame(await read(unchecked), [{ id: 'x', count: 1n }], 'and nothing is checked in production');
});

t.test('a row that the API shows is compared with the schema of the contract', async (t) => {
  const read = (on: Database, plan: Prisma.Sql) =>
    rowsOf(on, { ...columnsOf('nextPlan'), rank: int })`
      SELECT ${plan}, '2026-11-01T00:00:00.000000+00:00' AS effective_at, 1 AS rank`;
  const row = { plan: 'free', effective_at: '2026-11-01T00:00:00.000000+00:00', rank: 1 };
  t.strictSame(await read(db, Prisma.sql`'free' AS plan`), [row], 'with further columns beside it');
  await t.rejects(read(db, Prisma.sql`NULL AS plan`), /nextPlan\/plan must be string\n\s*SELECT/);
  await t.rejects(read(db, Prisma.sql`'free' AS plan, 1 AS b`), /nextPlan\/b/, 'there is one more');
  await t.rejects(read(db, Prisma.sql`1 AS b`), /nextPlan/, 'a column is missing');
  t.strictSame((await read(unchecked, Prisma.sql`NULL AS plan`)).length, 1, 'and not in production');
});

t.test('statements of a transaction are checked too, and roll it back', async (t) => {
  const id = 'acc_rolled_back';
  const insert = db.account.create({ data: { id, name: 'a', plan: 'free' } });
  const wrong = rowsOf(db, { version: text })`SELECT version FROM accounts WHERE id = ${id}`;
  await t.rejects(db.$transaction([insert, wrong]), /version = 1/);
  const [, found] = await db.$transaction([
    db.account.upsert({ where: { id }, create: { id, name: 'a', plan: 'free' }, update: {} }),
    rowsOf(db, { version: int })`SELECT version FROM accounts WHERE id = ${id}`,
  ]);
  t.strictSame(found, [{ version: 1 }]);
});

t.test('a connection without Prisma checks its rows everywhere', async (t) => {
  await withConnection(asInProduction.href, async (client) => {
    t.strictSame(await clientRows(client, { n: int }, 'SELECT $1::int AS n', [5]), [{ n: 5 }]);
    await t.rejects(clientRows(client, { n: int }, 'SELECT $1::int8 AS n', [5]), /n = '5'/);
  });
});
