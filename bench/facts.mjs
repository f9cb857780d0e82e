// `npm run bench:facts`: what the daily and monthly work on stored checks takes with four months of history and with forty.
// A month has half a million checks and 125,000 rollups, so the second database holds 20 and 5 million. Work that follows
// what is new, not what is stored, has a ratio near 1.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { reconciledTo } from '@verdict/db/billing/reconciled-to.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { withConnection } from '@verdict/db/database/with-connection.js';
import { archiveFacts } from '@verdict/db/facts/archive-facts.js';
import { restoreFacts } from '@verdict/db/facts/restore-facts.js';
import { encodeTime } from '@verdict/domain/id.js';
import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { closeMonth } from '@verdict/metering/close-month.js';
import { enforceRetention } from '@verdict/metering/enforce-retention.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { reconcileNew } from '@verdict/metering/reconcile-new.js';
import { createDeadLetters } from '@verdict/queues/dead-letters.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { readPlans } from '@verdict/service-kit/plans-file.js';
import { inRoot } from '../scripts/lib/paths.mjs';
import { writeResults } from './lib/write-results.mjs';

const MONTHS = (process.env.BENCH_MONTHS ?? '4,40').split(',').map(Number);
const CELLS = Number(process.env.BENCH_CELLS ?? 125_000);
const CHECKS_PER_CELL = 4;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const say = (text) => process.stderr.write(`${text}\n`);
const plans = readPlans(inRoot('config/plans.json'));
const running = monthOf(new Date());
const last = addMonths(running, -1);

const sizes = [];
for (const months of MONTHS) sizes.push(await measure(months));
const [small, large] = sizes;
const report = {
  sizes,
  ratio: Object.fromEntries(Object.keys(small.ms).map((name) => [name, large.ms[name] / small.ms[name]])),
};
console.log(report);
writeResults('facts', report);

/** Everything once, in a database with this many months. @param {number} months */
async function measure(months) {
  const database = await createDatabase();
  const server = await startRedis();
  const db = connectDatabase({ url: database.url, name: 'bench' });
  const redis = connectForQueues({ url: server.url, timeoutMs: 20_000 }, 'bench');
  await redis.connect();
  const deadLetters = createDeadLetters({ connection: redis, onError: () => {} });
  const metering = { db, redis, deadLetters, shards: 1 };
  const folder = mkdtempSync(path.join(tmpdir(), 'verdict-bench-'));
  const ms = {};
  const timed = async (name, work) => {
    const start = performance.now();
    await work();
    ms[name] = performance.now() - start;
    say(`${months} months: ${name} ${Math.round(ms[name])} ms`);
  };
  const none = (found) => {
    if (found.length > 0) throw new Error(`the bench made ${found.length} differences`);
  };
  try {
    say(`storing ${months} months`);
    await withConnection(database.url, (client) => fill(client, months));
    const { start, end } = monthBounds(last);
    await reconcileNew(metering, last, start); // opens the connections
    const aDay = new Date(end.getTime() - DAY_MS);
    await db.$executeRaw`UPDATE billing_periods SET reconciled_to = ${aDay} WHERE month = ${start}::date`;
    await timed('reconcile a day', async () => none(await reconcileNew(metering, last, end)));
    if ((await reconciledTo(db, last))?.getTime() !== end.getTime()) throw new Error('not compared');
    await timed('reconcile a month', async () => none(await reconcile(metering, last)));
    await timed(
      'usage of a month',
      () => db.$queryRaw`
      SELECT count(*)::int FROM billing.usage_monthly WHERE month = ${start}::date`,
    );
    await timed(
      'usage of a day',
      () => db.$queryRaw`
      SELECT count(*)::int FROM billing.usage_daily WHERE day = ${start}::date`,
    );
    await timed('close a month', () => closeMonth(db, last, plans));
    await timed('retention', () => enforceRetention(metering, plans, end.getTime() + 20 * DAY_MS, 30));
    const old = addMonths(last, -2);
    await timed('archive a month', () =>
      withConnection(database.url, (client) =>
        archiveFacts(client, { month: old, before: monthBounds(old).end, folder, pendingSince: null }),
      ),
    );
    await timed('restore a month', () =>
      withConnection(database.url, (client) => restoreFacts(client, old, folder)),
    );
    const [{ facts, rollups }] = await db.$queryRaw`
      SELECT (SELECT count(*) FROM check_logs)::float8 AS facts, (SELECT count(*) FROM usage_hourly)::float8 AS rollups`;
    return { months, facts, rollups, ms };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await deadLetters.close();
    redis.disconnect();
    await db.$disconnect();
    await server.stop();
    await database.drop();
  }
}

/**
 * Months that end with the last one, in the order of time, rollups counted from the checks. All but the last are closed and
 * reconciled, and the last two have addresses.
 * @param {import('pg').Client} client @param {number} months
 */
async function fill(client, months) {
  for (let ago = months - 1; ago >= 0; ago--) {
    const month = addMonths(last, -ago);
    const { start, end } = monthBounds(month);
    const hours = (end.getTime() - start.getTime()) / HOUR_MS;
    const times = Array.from({ length: hours }, (_, hour) => encodeTime(start.getTime() + hour * HOUR_MS));
    await client.query(`SELECT ensure_check_partitions(($1 || '-01')::date)`, [month]);
    await client.query(
      `INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at, verdict_score)
       SELECT 'log_' || ($3::text[])[1 + hour] || lpad(upper(to_hex(cell * 16 + n)), 16, '0'), 'acc_bench_' || cell / $2,
         'key_bench_' || cell / $2, (ARRAY['allow', 'challenge', 'review', 'block'])[1 + cell % 4], 10,
         '{"disposable_email":false,"mx_valid":true,"free_provider":false}',
         '[{"code":"MX_VALID","points":0},{"code":"NEW_DOMAIN","points":10}]', '2026-11-01/2026-11-01/2026-11-01',
         'req_' || md5(cell::text), ($1 || '-01T00:00Z')::timestamptz + hour * interval '1 hour' + n * interval '1 minute', 10
       FROM (SELECT cell, cell % $2 AS hour FROM generate_series(0, $4::int - 1) cell) cells, generate_series(1, $5::int) n
       ORDER BY hour, n`,
      [month, hours, times, CELLS, CHECKS_PER_CELL],
    );
    await client.query(
      `INSERT INTO usage_hourly SELECT account_id, key_id, date_trunc('hour', created_at, 'UTC'), decision, count(*)
       FROM check_logs WHERE created_at >= $1 AND created_at < $2 GROUP BY 1, 2, 3, 4`,
      [start.toISOString(), end.toISOString()],
    );
    if (ago < 2) {
      await client.query(
        `INSERT INTO check_subjects (id, account_id, domain, email_hash, reasons, created_at)
         SELECT id, account_id, 'company.example', id, '[]', created_at FROM check_logs WHERE created_at >= $1 AND created_at < $2
         ORDER BY created_at`,
        [start.toISOString(), end.toISOString()],
      );
    } else await client.query(`SELECT drop_check_subjects(($1 || '-01')::date)`, [month]);
    if (ago > 0)
      await client.query(
        `UPDATE billing_periods SET status = 'closed', closed_at = now(), stated_at = now(), reconciled_to = $2
         WHERE month = ($1 || '-01')::date`,
        [month, end.toISOString()],
      );
  }
  await client.query('VACUUM (ANALYZE)');
}
