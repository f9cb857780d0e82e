import { createDatabase } from '@verdict/local-stack/create-database.js';
import { Client } from 'pg';
import t from 'tap';

const database = await createDatabase();
const client = new Client({ connectionString: database.url });
await client.connect();
t.teardown(async () => {
  await client.end();
  await database.drop();
});
// Wherever the reader sits.
await client.query("SET TIME ZONE 'America/New_York'");
const ask = async (sql: string) => (await client.query(sql)).rows;

// Ten accounts, an hour each, for a year: what one month or day is of it shows in what is read.
await client.query(`
  SELECT ensure_check_partitions(month::date) FROM generate_series('2025-01-01'::date, '2025-12-01', '1 month') month;
  INSERT INTO usage_hourly (account_id, key_id, hour, decision, checks)
  SELECT 'acc_' || a, 'key_1', h, 'allow', a
  FROM generate_series(1, 10) a, generate_series('2025-01-01T00:00Z'::timestamptz, '2025-12-31T23:00Z', '1 hour') h;
  ANALYZE usage_hourly; ANALYZE billing_periods`);

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Rows of usage_hourly that a question reads. */
async function rowsRead(sql: string): Promise<number> {
  const [row] = await ask(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`);
  const read = (plan: Plan): number => {
    const own =
      plan['Relation Name']?.startsWith('usage_hourly') || plan['Node Type'].startsWith('Bitmap Index');
    const rows = own
      ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
      : 0;
    return (plan.Plans ?? []).reduce((sum, child) => sum + read(child), rows);
  };
  return read((row['QUERY PLAN'] as readonly { readonly Plan: Plan }[])[0]?.Plan as Plan);
}

/** The partitions of usage_hourly that a question reads as a whole. */
async function wholePartitions(sql: string): Promise<string[]> {
  const [row] = await ask(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`);
  const read = (plan: Plan): string[] => [
    ...(plan['Node Type'].endsWith('Seq Scan') && plan['Relation Name']?.startsWith('usage_hourly')
      ? [plan['Actual Loops'] > 0 ? plan['Relation Name'] : '']
      : []),
    ...(plan.Plans ?? []).flatMap(read),
  ];
  return read((row['QUERY PLAN'] as readonly { readonly Plan: Plan }[])[0]?.Plan as Plan).filter(Boolean);
}

t.test('the views scan no history, with the statistics that a running database has', async (t) => {
  await client.query(`UPDATE billing_periods SET status = 'closed' WHERE month < '2025-12-01'`);
  await client.query('ANALYZE');
  for (const [question, whole] of [
    ["usage_daily WHERE day = '2025-10-05'", []],
    ["usage_monthly WHERE month = '2025-10-01'", ['usage_hourly_2025_10']],
    ["usage_monthly WHERE period_status = 'open'", ['usage_hourly_2025_12']],
    ["usage_monthly WHERE account_id = 'acc_3' AND month = '2025-10-01'", []],
  ] as const) {
    const scanned = await wholePartitions(`SELECT * FROM billing.${question}`);
    const history = scanned.filter(
      (name) => !(whole as readonly string[]).includes(name) && Number(/\d{4}/.exec(name)?.[0]) < 2026,
    );
    t.strictSame(history, [], question);
  }
  t.match(
    await ask(`SELECT period_status, count(*)::int AS rows FROM billing.usage_monthly GROUP BY 1 ORDER BY 1`),
    [
      { period_status: 'closed', rows: 110 },
      { period_status: 'open', rows: 10 },
    ],
  );
});

t.test('a question about one month or day reads that one', async (t) => {
  const month = 31 * 24 * 10;
  t.ok((await rowsRead("SELECT * FROM billing.usage_monthly WHERE period_status = 'open'")) < 3 * month);
  t.ok((await rowsRead("SELECT * FROM billing.usage_monthly WHERE month = '2025-10-01'")) < 3 * month);
  t.ok((await rowsRead("SELECT * FROM billing.usage_daily WHERE day = '2025-10-05'")) < month);
});

t.test('months and days hold every hour once, the first and the last included', async (t) => {
  t.match(await ask('SELECT count(*)::int AS rows, sum(checks)::int AS checks FROM billing.usage_monthly'), [
    { rows: 120, checks: 365 * 24 * 55 },
  ]);
  t.match(await ask('SELECT count(*)::int AS rows, sum(checks)::int AS checks FROM billing.usage_daily'), [
    { rows: 3650, checks: 365 * 24 * 55 },
  ]);
  t.match(
    await ask(
      "SELECT checks::int FROM billing.usage_daily WHERE day = '2025-12-31' AND account_id = 'acc_10'",
    ),
    [{ checks: 240 }],
  );
});

t.test('retention finds old rows by their time', async (t) => {
  const [index] = await ask(`SELECT indisvalid AS valid, am.amname AS method FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am am ON am.oid = c.relam WHERE c.relname = 'check_subjects_created_at_idx'`);
  t.strictSame(index, { valid: true, method: 'brin' });
  await ask("SELECT ensure_check_partitions('2025-10-01'::date)::text");
  await ask(`INSERT INTO check_subjects (id, account_id, domain, email_hash, reasons, created_at)
    SELECT 'log_' || n, 'acc_' || n % 997, md5(n::text), md5(n::text), '[]', '2025-10-01T00:00Z'::timestamptz + n * interval '25 s'
    FROM generate_series(1, 100000) n`);
  await client.query('VACUUM ANALYZE check_subjects_2025_10');
  const [row] = await ask(
    `EXPLAIN (FORMAT JSON) SELECT id FROM check_subjects WHERE created_at < '2025-10-01T00:10Z' LIMIT 10000`,
  );
  t.match(JSON.stringify(row), /check_subjects_2025_10_created_at_idx/);
});
