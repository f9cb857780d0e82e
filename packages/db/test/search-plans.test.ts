import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { createLogSearch, type LogFilter } from '../src/checks/log-search.js';
import { ensurePartitions } from '../src/checks/partitions.js';
import { connectDatabase, type Database } from '../src/database/client.js';
import { Prisma } from '../src/generated/client.js';
import { createGroupReading } from '../src/groups/group-reading.js';
import { regroupHour } from '../src/groups/regroup-hour.js';
import { ungroupedHours } from '../src/groups/ungrouped-hours.js';

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});

const CHECKS = 240_000;
const PART = 40_000;
const HOURS = 360;
const months = [0, HOURS].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 7));
await ensurePartitions(db, [...new Set(months)]);
// Nine of ten checks are of the account, and there are enough of others that each plan has to look for the account.
await db.$executeRaw`INSERT INTO accounts (id, name, plan) VALUES ('acc', 'a', 'free'), ('other', 'b', 'free')`;
const now = new Date().toISOString();
for (let first = 0; first < CHECKS; first += PART) {
  const numbers = Prisma.sql`(
    SELECT 'log_' || lpad(n::text, 26, '0') AS id, CASE WHEN n % 10 = 0 THEN 'other' ELSE 'acc' END AS account_id,
      ${now}::timestamptz - n * (${HOURS}::float8 / ${CHECKS}) * interval '1 hour' AS created_at, n
    FROM generate_series(${first}::int, ${first + PART - 1}::int) n) n`;
  await db.$executeRaw`INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at)
    SELECT id, account_id, 'key', (ARRAY['allow', 'challenge', 'review', 'block'])[1 + n % 4], n % 100, '{}',
      jsonb_build_array(jsonb_build_object('code', 'CODE_' || n % 7, 'points', 1)), 'd', 'req', created_at FROM ${numbers}`;
  await db.$executeRaw`INSERT INTO check_subjects (id, account_id, email, domain, email_hash, ip, mx, reasons, created_at)
    SELECT id, account_id, 'p' || n % 50021 || '@d' || n % 3001 || '.test', 'd' || n % 3001 || '.test', n % 50021,
      (n % 211) || '.' || n % 7 || '.' || n % 11 || '.' || n % 251, 'mx' || n % 13 || '.test a.test', '[]', created_at FROM ${numbers}`;
}
await db.$executeRaw`INSERT INTO usage_hourly (account_id, key_id, hour, decision, checks)
    SELECT account_id, 'key', date_trunc('hour', created_at, 'UTC'), decision, count(*) FROM check_logs GROUP BY 1, 3, 4`;
for (const table of ['check_logs', 'check_subjects', 'usage_hourly'])
  await db.$executeRawUnsafe(`VACUUM ANALYZE ${table}`);

const from = new Date(Date.now() - (HOURS + 24) * 3_600_000).toISOString();
const to = new Date(Date.now() + 3_600_000).toISOString();

/** A database that explains each statement before it runs it. */
function explaining(plans: string[]): Database {
  return new Proxy(db, {
    get(target, name, receiver) {
      if (name !== '$queryRaw') return Reflect.get(target, name, receiver);
      return async (first: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
        const statement = first instanceof Prisma.Sql ? first : Prisma.sql(first, ...values);
        const plan = await db.$queryRaw<
          { 'QUERY PLAN': string }[]
        >`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) ${statement}`;
        plans.push(...plan.map((line) => line['QUERY PLAN']));
        return db.$queryRaw(statement);
      };
    },
  });
}

/** Reads of a whole table that holds checks; empty months do not matter. */
const WHOLE = new RegExp(`Seq Scan on check_(logs|subjects)_(${months.join('|').replaceAll('-', '_')})`);
const wholeReads = (plans: readonly string[]) => plans.filter((line) => WHOLE.test(line));

t.test('beginnings, networks, IPs and mailboxes are found without reading a month', async (t) => {
  const filters: readonly LogFilter[] = [
    { beginning: 'p1234' },
    { beginning: 'p12345@d' },
    { beginning: 'd300' },
    { beginning: '@d300' },
    { network: '17.3.0.0/16' },
    { network: '17.3.6.0/24' },
    { ips: ['17.3.6.17'] },
    { mailbox: { hash: '17' } },
    { beginning: 'p12', network: '17.3.0.0/16', codes: ['CODE_3'], decisions: ['block'] },
  ];
  for (const filter of filters) {
    const plans: string[] = [];
    await createLogSearch(explaining(plans), 'acc').page({ ...filter, from, to }, null, 100);
    t.strictSame(wholeReads(plans), [], JSON.stringify(filter));
  }
});

t.test('groups of hours are those of their checks, and read no check', async (t) => {
  for (;;) {
    const hours = await ungroupedHours(db, { daysMax: HOURS / 24 + 1, countMax: 100 });
    if (hours.length === 0) break;
    for (const { hour, account_id } of hours) await regroupHour(db, hour, [account_id]);
  }
  await db.$executeRaw`ANALYZE check_groups`;
  const plans: string[] = [];
  const reading = createGroupReading(explaining(plans), 'acc');
  const counts = (
    by: 'domain' | 'network' | 'mail_host' | 'reason' | 'mailbox' | 'hour',
    filter: LogFilter = {},
  ) => reading.counts({ by, filter: { ...filter, from, to }, step: 'day', countMax: 100 });
  const plain = (value: Prisma.Sql) => db.$queryRaw<{ value: string; checks: number }[]>`
    SELECT ${value} AS value, count(*)::int AS checks FROM check_logs l JOIN check_subjects s USING (id, created_at)
    WHERE l.account_id = 'acc' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 100`;
  const found = async (by: Parameters<typeof counts>[0], filter?: LogFilter) =>
    (await counts(by, filter)).groups.map(({ value, allow, challenge, review, block }) => ({
      value,
      checks: allow + challenge + review + block,
    }));
  t.strictSame(await found('mail_host'), await plain(Prisma.sql`split_part(s.mx, ' ', 1)`));
  t.strictSame(await found('domain'), await plain(Prisma.sql`s.domain`));
  t.strictSame(await found('network'), await plain(Prisma.sql`network(set_masklen(s.ip::inet, 24))::text`));
  t.strictSame(await found('reason'), await plain(Prisma.sql`l.factors -> 0 ->> 'code'`));
  const blocked = await counts('mail_host', { decisions: ['block'] });
  t.equal(blocked.total.block, (await counts('mail_host')).total.block);
  t.equal(blocked.total.allow, 0);
  const days = await found('hour');
  t.equal(
    days.reduce((sum, { checks }) => sum + checks, 0),
    (CHECKS * 9) / 10,
  );
  t.strictSame(wholeReads(plans), []);
  const ofChecks = plans.filter((line) => /(Scan|on) .*check_(logs|subjects)/.test(line));
  t.strictSame(ofChecks, [], 'no check is read');

  const some = await counts('network', { codes: ['CODE_3'] });
  t.equal(some.since, null, 'with another filter the checks are counted one by one');
  const most = await counts('mail_host', { scoreMin: 1 });
  t.match(most.since, /^\d{4}-/, 'and of too many the newest');
  t.equal(
    Object.values(most.total).reduce((sum, count) => sum + count, 0),
    50_000,
  );
});
