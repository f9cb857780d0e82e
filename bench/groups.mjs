import { parseArgs } from 'node:util';
import { ensurePartitions } from '@verdict/db/checks/partitions.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { withConnection } from '@verdict/db/database/with-connection.js';
import { createGroupReading } from '@verdict/db/groups/group-reading.js';
import { regroupHour } from '@verdict/db/groups/regroup-hour.js';
import { GROUP_KINDS } from '@verdict/domain/check-groups.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { writeResults } from './lib/write-results.mjs';

/**
 * `npm run bench:groups -- --checks 10000000`: a month of one account, counted by what its checks have in common, beside the
 * plainest read of the same checks: counting them by the index.
 */
const { values } = parseArgs({ options: { checks: { type: 'string', default: '10000000' } } });
const CHECKS = Number(values.checks);
const DAYS = 30;
const HOURS = DAYS * 24;
const HOUR_MS = 3_600_000;
const ROUNDS = 3;
const ACCOUNT = 'acc_bench';

const say = (text) => process.stderr.write(`${text}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const first = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
const hourAt = (index) => new Date(first + index * HOUR_MS).toISOString();
const period = { from: hourAt(0), to: hourAt(HOURS) };

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'bench' });
try {
  await ensurePartitions(db, [...new Set([period.from, period.to].map((time) => time.slice(0, 7)))]);
  await db.$executeRaw`INSERT INTO accounts (id, name, plan) VALUES (${ACCOUNT}, 'bench', 'free')`;
  await withConnection(database.url, store);
  const groupMicros = await group();
  const reading = createGroupReading(db, ACCOUNT);
  const read = (by) => reading.counts({ by, filter: period, step: 'day', countMax: 100 });
  const ms = {};
  for (const by of ['hour', ...GROUP_KINDS]) {
    const counted = await read(by);
    if (counted.groups.length === 0 && by !== 'as' && by !== 'rule') throw new Error(`no groups by ${by}`);
    ms[by] = await timed(() => read(by));
    say(`by ${by}: ${Math.round(ms[by])} ms, ${counted.groups.length} groups`);
  }
  const plain = await timed(
    () => db.$queryRaw`
    SELECT count(*) FROM check_logs
    WHERE account_id = ${ACCOUNT} AND created_at >= ${period.from}::timestamptz AND created_at < ${period.to}::timestamptz`,
  );
  const slowestMs = Math.max(...Object.values(ms));
  const report = { checks: CHECKS, ms, plainMs: plain, slowestMs, ratio: slowestMs / plain, groupMicros };
  console.log(report);
  writeResults('groups', report);
} finally {
  await db.$disconnect();
  await database.drop();
}

/** Checks of people at 120,000 domains, most seen once, from 250,000 networks, an hour after the other. */
async function store(client) {
  await client.query('SET statement_timeout = 0');
  const perHour = Math.ceil(CHECKS / HOURS);
  for (let hour = 0; hour < HOURS; hour++) {
    const numbers = `(SELECT n, ${hour}::bigint * ${perHour} + n AS i, (n * 7919 + ${hour} * 104729)::bigint AS r,
        'log_' || lpad(upper(to_hex(${hour}::bigint * ${perHour} + n)), 26, '0') AS id,
        '${hourAt(hour)}'::timestamptz + n * (interval '1 hour' / ${perHour + 1}) AS created_at
      FROM generate_series(1, ${perHour}) n) n`;
    await client.query(`
      INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, verdict_score, signals, factors, datasets, request_id, created_at)
      SELECT id, '${ACCOUNT}', 'key', (ARRAY['allow', 'allow', 'allow', 'allow', 'allow', 'challenge', 'review', 'block'])[1 + r % 8], r % 100, r % 100,
        '{"disposable_email":false,"mx_valid":true,"free_provider":false}',
        jsonb_build_array(jsonb_build_object('code', (ARRAY['FREE_PROVIDER', 'PLUS_TAG', 'ROLE_ACCOUNT', 'RELAY_DOMAIN'])[1 + r % 4], 'points', 5)),
        '2026-11-01/2026-11-01/2026-11-01', 'req_' || i, created_at FROM ${numbers}`);
    await client.query(`
      INSERT INTO check_subjects (id, account_id, email, domain, email_hash, ip, mx, reasons, created_at)
      SELECT id, '${ACCOUNT}', 'p' || i % 6000000 || '@' || domain, domain, i % 6000000,
        (r % 211) || '.' || r / 211 % 199 || '.' || r / 41989 % 7 || '.' || r % 251, 'mx' || r % 997 || '.test mx.mx' || r % 997 || '.test', '[]', created_at
      FROM ${numbers}, LATERAL (SELECT CASE WHEN r % 10 < 7 THEN (ARRAY['gmail.com', 'outlook.com', 'web.de', 'gmx.de', 'yahoo.com'])[1 + r % 5]
        ELSE 'company' || r % 120011 || '.test' END AS domain) d`);
    if (hour % 72 === 71) say(`stored ${((hour + 1) * perHour).toLocaleString('en')}`);
  }
  await client.query(`
    INSERT INTO usage_hourly (account_id, key_id, hour, decision, checks)
    SELECT account_id, key_id, date_trunc('hour', created_at, 'UTC'), decision, count(*) FROM check_logs GROUP BY 1, 2, 3, 4`);
  for (const table of ['check_logs', 'check_subjects', 'usage_hourly'])
    await client.query(`VACUUM ANALYZE ${table}`);
}

/** Groups every hour as the worker does, and answers what a check of them took. */
async function group() {
  const begun = performance.now();
  for (let hour = 0; hour < HOURS; hour++) await regroupHour(db, hourAt(hour), [ACCOUNT]);
  const micros = ((performance.now() - begun) * 1_000) / CHECKS;
  say(`grouped: ${micros.toFixed(1)} us a check`);
  await db.$executeRaw`VACUUM ANALYZE check_groups`;
  return micros;
}

async function timed(work) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return median(times);
}
