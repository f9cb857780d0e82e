import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { Client } from 'pg';
import t, { type Test } from 'tap';
import { migrate, migrationNames } from '../src/database/migrate.js';

async function emptyDatabase(t: Test) {
  const database = await createDatabase('template0');
  const client = new Client({ connectionString: database.url });
  await client.connect();
  t.teardown(async () => {
    await client.end();
    await database.drop();
  });
  const ask = async (sql: string) => (await client.query(sql)).rows;
  return { ...database, ask };
}

/** Migrations of the test's own: names and their scripts. */
async function migrationsOf(t: Test, scripts: Record<string, string>) {
  const directory = await mkdtemp(join(tmpdir(), 'verdict-migrations-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const write = async (name: string, script: string) => {
    await mkdir(join(directory, name), { recursive: true });
    await writeFile(join(directory, name, 'migration.sql'), script);
  };
  for (const [name, script] of Object.entries(scripts)) await write(name, script);
  return { directory, write };
}

const RECORDED = `
  SELECT migration_name AS name, checksum FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY started_at, migration_name`;

t.test('every migration is applied once and recorded as Prisma would', async (t) => {
  const { url, ask } = await emptyDatabase(t);
  const names = await migrationNames();
  const runs = await Promise.all([migrate(url), migrate(url)]);
  const definitions = (await readdir(inRoot('prisma/definitions'))).sort();
  t.strictSame(runs.flat(), [...names, ...definitions], 'two that begin at once share the work');
  t.strictSame(await migrate(url), [], 'a later one has nothing to do');
  const expected = names.map(async (name) => {
    const script = await readFile(inRoot('prisma/migrations', name, 'migration.sql'));
    return { name, checksum: createHash('sha256').update(script).digest('hex') };
  });
  t.strictSame(await ask(RECORDED), await Promise.all(expected));
});

t.test(
  'a migration that fails changes nothing, repeats what Postgres said, and is tried again',
  async (t) => {
    const { url, ask } = await emptyDatabase(t);
    const { directory, write } = await migrationsOf(t, {
      '1_first': 'CREATE TABLE first (n int);',
      '2_second': 'CREATE TABLE second (n int);\nINSERT INTO missing VALUES (1);',
    });
    await t.rejects(migrate(url, directory), {
      message: '2_second failed and changed nothing: relation "missing" does not exist (42P01, at line 2)',
    });
    t.match(await ask("SELECT to_regclass('first') AS first, to_regclass('second') AS second"), [
      { first: 'first', second: null },
    ]);
    await write('2_second', 'CREATE TABLE second (n int);');
    t.strictSame(await migrate(url, directory), ['2_second']);
  },
);

t.test('a definition is applied when its text changes, and all of them or none', async (t) => {
  const { url, ask } = await emptyDatabase(t);
  const { directory } = await migrationsOf(t, { '1_first': 'CREATE TABLE first (n int);' });
  const definitions = await mkdtemp(join(tmpdir(), 'verdict-definitions-'));
  t.teardown(() => rm(definitions, { recursive: true, force: true }));
  const define = (name: string, sql: string) => writeFile(join(definitions, name), sql);
  const answer = (value: string) =>
    `CREATE OR REPLACE FUNCTION answer() RETURNS INT LANGUAGE sql AS $$ SELECT ${value} $$;`;
  await define('answer.sql', answer('later()'));
  await define('later.sql', 'CREATE OR REPLACE FUNCTION later() RETURNS INT LANGUAGE sql AS $$ SELECT 1 $$;');
  t.strictSame(await migrate(url, directory, definitions), ['1_first', 'answer.sql', 'later.sql']);
  t.strictSame(await migrate(url, directory, definitions), []);
  await define('answer.sql', answer('2'));
  await define('later.sql', 'CREATE FUNCTION later() RETURNS TEXT');
  await t.rejects(migrate(url, directory, definitions), /^later.sql failed, and no definition was changed/);
  t.strictSame(await ask('SELECT answer()'), [{ answer: 1 }]);
  await rm(join(definitions, 'later.sql'));
  t.strictSame(await migrate(url, directory, definitions), ['answer.sql']);
  t.strictSame(await ask('SELECT answer()'), [{ answer: 2 }]);
});

/** The first migration after which functions, triggers and views have files of their own. */
const DEFINED_FROM = '20261116160000_statement_texts';

t.test('no migration defines what has a file of its own', async (t) => {
  for (const name of (await migrationNames()).filter((one) => one >= DEFINED_FROM)) {
    const script = await readFile(inRoot('prisma/migrations', name, 'migration.sql'), 'utf8');
    t.notMatch(script, /CREATE (OR REPLACE )?(FUNCTION|TRIGGER|VIEW)/, `${name}: use prisma/definitions`);
  }
});

t.test(
  'rollups of before are all in their months afterwards, and the views keep their readers',
  async (t) => {
    const { url, ask } = await emptyDatabase(t);
    const BY_MONTH = '20261117093000_usage_by_month';
    const earlier = (await migrationNames()).filter((name) => name < BY_MONTH);
    const scripts = await Promise.all(
      earlier.map(async (name) => [
        name,
        await readFile(inRoot('prisma/migrations', name, 'migration.sql'), 'utf8'),
      ]),
    );
    const { directory } = await migrationsOf(t, Object.fromEntries(scripts));
    const views = await mkdtemp(join(tmpdir(), 'verdict-views-'));
    t.teardown(() => rm(views, { recursive: true, force: true }));
    for (const view of ['billing.usage_hourly.sql', 'billing.usage_daily.sql', 'billing.usage_monthly.sql'])
      await copyFile(inRoot('prisma/definitions', view), join(views, view));
    await migrate(url, directory, views);
    await ask(`INSERT INTO usage_hourly
    SELECT 'acc_' || a, 'key_1', hour, 'allow', a FROM generate_series(1, 3) a,
      generate_series('2026-07-30T22:00Z'::timestamptz, '2026-09-02T01:00Z', '1 hour') hour`);
    await ask('GRANT SELECT ON billing.usage_daily TO PUBLIC');
    const readers = () =>
      ask(`SELECT relacl::text FROM pg_class WHERE oid = 'billing.usage_daily'::regclass`);
    const granted = await readers();
    const figures = () =>
      ask(
        `SELECT to_char(day, 'YYYY-MM') AS month, sum(checks)::int AS checks FROM billing.usage_daily GROUP BY 1 ORDER BY 1`,
      );
    const before = await figures();
    t.equal(before.length, 3);
    t.equal((await migrate(url))[0], BY_MONTH);
    t.strictSame(await figures(), before);
    t.strictSame(
      await ask(
        `SELECT tableoid::regclass::text AS name, count(*)::int AS rows FROM usage_hourly GROUP BY 1 ORDER BY 1`,
      ),
      [
        { name: 'usage_hourly_2026_07', rows: 3 * 26 },
        { name: 'usage_hourly_2026_08', rows: 3 * 31 * 24 },
        { name: 'usage_hourly_2026_09', rows: 3 * 26 },
      ],
    );
    t.strictSame(await readers(), granted);
  },
);

t.test('what another runner left failed is tried again', async (t) => {
  const { url, ask } = await emptyDatabase(t);
  const { directory } = await migrationsOf(t, { '1_first': 'CREATE TABLE first (n int);' });
  await migrate(url, directory);
  await ask('DROP TABLE first');
  await ask("UPDATE _prisma_migrations SET finished_at = NULL, logs = 'out of disk'");
  t.strictSame(await migrate(url, directory), ['1_first']);
  t.match(
    await ask('SELECT count(*)::int AS failed FROM _prisma_migrations WHERE rolled_back_at IS NOT NULL'),
    [{ failed: 1 }],
  );
});

t.test('the owner of a database migrates it without the right to make roles', async (t) => {
  const { url, name, ask } = await emptyDatabase(t);
  const owner = `owner_${name}`;
  await ask(`CREATE ROLE ${owner} LOGIN PASSWORD 'plain' NOCREATEROLE`);
  await ask(`ALTER DATABASE ${name} OWNER TO ${owner}`);
  const own = new URL(url);
  own.username = owner;
  own.password = 'plain';
  const applied = await migrate(own.href);
  t.strictSame(applied.slice(0, (await migrationNames()).length), await migrationNames());
});

t.test(
  'an index is made concurrently outside a transaction, on every partition, and again after a failure',
  async (t) => {
    const { url, ask } = await emptyDatabase(t);
    const { directory, write } = await migrationsOf(t, {
      '1_tables': `CREATE TABLE parts (n int) PARTITION BY RANGE (n);
      CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
      CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10) TO (20);
      INSERT INTO parts VALUES (1), (1);`,
      '2_twice_concurrently': 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS parts_1_n ON parts_1 (n);',
    });
    await t.rejects(migrate(url, directory), {
      message: /^2_twice_concurrently failed, and can be repeated: .*23505/,
    });
    t.match(
      await ask("SELECT indisvalid AS valid FROM pg_index WHERE indrelid = 'parts_1'::regclass"),
      [{ valid: false }],
      'Postgres leaves half an index',
    );
    await write(
      '2_twice_concurrently',
      `CREATE INDEX IF NOT EXISTS parts_n ON ONLY parts (n);
SELECT format('CREATE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s (n)', c.relname || '_n', c.oid::regclass) AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'parts'::regclass;
SELECT format('ALTER INDEX parts_n ATTACH PARTITION %I', c.relname || '_n') AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'parts'::regclass;
`,
    );
    t.strictSame(await migrate(url, directory), ['2_twice_concurrently']);
    t.strictSame(
      await ask(
        "SELECT indexrelid::regclass::text AS index, indisvalid AS valid FROM pg_index WHERE indrelid::regclass::text LIKE 'parts%' ORDER BY 1",
      ),
      ['parts_1_n', 'parts_2_n', 'parts_n'].map((index) => ({ index, valid: true })),
    );
  },
);
