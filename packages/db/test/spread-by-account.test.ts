import { readdirSync, readFileSync } from 'node:fs';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { Client } from 'pg';
import t from 'tap';

// docs/scaling.md plans to spread these tables over several Postgres servers by account. Nothing may prevent that.
const SPREAD = ['check_logs', 'check_subjects', 'usage_hourly'];

const database = await createDatabase();
const client = new Client({ connectionString: database.url });
await client.connect();
t.teardown(async () => {
  await client.end();
  await database.drop();
});
const ask = async (sql: string) => (await client.query(sql, [SPREAD])).rows;

t.test('every row says whose it is, and no other table holds on to it', async (t) => {
  t.strictSame(
    await ask(`SELECT attrelid::regclass::text AS name, attnotnull AS always FROM pg_attribute
      WHERE attrelid = ANY ($1::regclass[]) AND attname = 'account_id' ORDER BY 1`),
    SPREAD.map((name) => ({ name, always: true })),
  );
  t.strictSame(
    await ask(`SELECT conname::text FROM pg_constraint
      WHERE contype = 'f' AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[]))`),
    [],
    'no foreign keys',
  );
});

t.test('only ids are unique, which hold everywhere because of how they are made', async (t) => {
  const unique = await ask(`
    SELECT i.indrelid::regclass::text AS name, array_agg(a.attname::text ORDER BY a.attname) AS columns
    FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
    WHERE i.indisunique AND i.indrelid = ANY ($1::regclass[]) GROUP BY i.indexrelid, 1 ORDER BY 1`);
  t.strictSame(unique, [
    { name: 'check_logs', columns: ['created_at', 'id'] },
    { name: 'check_subjects', columns: ['created_at', 'id'] },
    { name: 'usage_hourly', columns: ['account_id', 'decision', 'hour', 'key_id'] },
  ]);
});

/** The work on all accounts, which would run on every server: storing, retention, second looks, reconciling, archives, backups, billing. */
const ON_ALL =
  /^(checks\/persist-|erasure\/|facts\/|database\/|billing\/|policies\/forget-|revisions\/second-look-|generated\/)/;

t.test('customers read the rows of one account at a time', async (t) => {
  const files = readdirSync(inRoot('packages/db/src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !ON_ALL.test(file),
  );
  const statements = files.flatMap((file) =>
    (readFileSync(inRoot('packages/db/src', file), 'utf8').match(/`[^`]*`/g) ?? [])
      .filter((sql) => /\b(FROM|JOIN|UPDATE) (ONLY )?(check_logs|check_subjects|usage_hourly)\b/.test(sql))
      .map((sql) => ({ file, sql })),
  );
  t.ok(statements.length >= 10, `${statements.length} statements`);
  for (const { file, sql } of statements)
    t.match(sql, /account_id|\$\{(SAME_CHECK|facts|ofHour|within\(.*\))\}/, `${file} names the account`);
});
