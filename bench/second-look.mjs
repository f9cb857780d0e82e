import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withConnection } from '@verdict/db/database/with-connection.js';
import { encodeTime } from '@verdict/domain/id.js';
import { inRoot } from '../scripts/lib/paths.mjs';
import { releasesIn } from '../services/worker/test/support/releases-in.ts';
import { cpuSeconds } from './lib/process-usage.mjs';
import { startBenchStack } from './lib/stack.mjs';
import { steadyChecks } from './lib/steady-checks.mjs';
import { writeResults } from './lib/write-results.mjs';

/**
 * `npm run bench:second-look -- --checks 1000000`: a release names 300 domains that were new, 3 of 1,000 stored checks of a
 * month are on them, and 600 at large providers. How long until all are revised, and what checks beside it wait.
 */
const { values } = parseArgs({
  options: { checks: { type: 'string', default: '1000000' }, rate: { type: 'string', default: '200' } },
});
const CHECKS = Number(values.checks);
const RATE = Number(values.rate);
const HOURS = 30 * 24;
const HOUR_MS = 3_600_000;
const ALONE_SECONDS = 20;
const NAMES = Array.from({ length: 300 }, (_, n) => `fresh${n}-bench-look.com`);

const directory = inRoot('.data/bench-second-look-releases');
const releases = releasesIn(directory);
await releases.publish('2026-11-01');
const stack = await startBenchStack({
  name: 'bench-second-look',
  env: {
    REQUESTS_PER_MINUTE: '1000000',
    DATASETS_DIR: directory,
    DATASETS_POLL_MS: '1000',
    DATASETS_UPDATE_HOURS: '0',
  },
});
const { worker, postgres } = stack.processes;
const pids = { worker, postgres };

try {
  const stored = await withConnection(stack.database_url, fill);
  await until(async () => (await newest()) !== undefined, 'the release in use was not noted');
  await checks(ALONE_SECONDS).waits(); // caches, compiled code and connections are what they will be
  await releases.publish('2026-11-02', { more: NAMES });
  await until(async () => (await newest())?.names === NAMES.length, 'the new release was not noted');
  const before = await checks(ALONE_SECONDS).waits();
  const look = await secondLook();
  const after = await checks(ALONE_SECONDS).waits();
  const overAlone = (key) => (2 * look.beside[key]) / (before[key] + after[key]);
  const report = {
    stored,
    ...look,
    ratios: { meanBeside: overAlone('meanMs'), p99Beside: overAlone('p99Ms') },
    alone: { before, after },
  };
  console.log(report);
  if (look.revised !== Math.floor(stored / 1_000) * 3)
    throw new Error(`${look.revised} of ${stored} were revised`);
  writeResults('second-look', report);
} finally {
  await stack.stop();
}

/** A month of checks of the account, an hour after the other. */
async function fill(client) {
  await client.query('SET statement_timeout = 0');
  const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
  const { rows } = await client.query('SELECT account_id FROM api_keys WHERE id = $1', [stack.api_key_id]);
  for (const months of [-1, 0, 1, 2])
    await client.query(`SELECT ensure_check_partitions((now() + make_interval(months => $1))::date)`, [
      months,
    ]);
  const times = Array.from({ length: HOURS - 1 }, (_, hour) => encodeTime(start + hour * HOUR_MS));
  const perHour = Math.ceil(CHECKS / times.length / 1_000) * 1_000;
  const account = rows[0].account_id;
  await client.query(
    `INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, verdict_score, signals, factors, datasets, request_id,
       created_at, extra)
     SELECT 'log_' || ($3::text[])[1 + hour] || lpad(upper(to_hex(hour * $5 + n)), 16, '0'), $1, $2, 'allow', 0, 0,
       '{"disposable_email":false,"mx_valid":true,"free_provider":false}', '[]', '2026-11-01/2026-11-01/2026-11-01', 'req_' || n,
       $4::timestamptz + hour * interval '1 hour' + n * (interval '59 minutes' / $5::int), '{}'
     FROM generate_series(0, cardinality($3::text[]) - 1) hour, generate_series(0, $5::int - 1) n ORDER BY hour, n`,
    [account, stack.api_key_id, times, new Date(start).toISOString(), perHour],
  );
  await client.query(
    `INSERT INTO check_subjects (id, account_id, email, domain, email_hash, mx, reasons, created_at)
     SELECT id, account_id, 'p@' || domain, domain, id, 'mx' || length(domain) || '.test mx.' || domain, '[]', created_at
     FROM (
       SELECT *, substr(request_id, 5)::int AS n, extract(epoch FROM created_at)::int / 3600 AS hour
       FROM check_logs WHERE account_id = $1
     ) l, LATERAL (
       SELECT CASE WHEN n % 1000 < 3 THEN ($2::text[])[1 + (hashtext(id) & 255)]
         WHEN n % 5 < 3 THEN 'provider' || n % 23 || '.test' ELSE 'company' || (hour + n) % 40009 || '.test' END AS domain
     ) d
     ORDER BY created_at`,
    [account, NAMES],
  );
  await client.query(
    `INSERT INTO usage_hourly (account_id, key_id, hour, decision, checks)
     SELECT account_id, key_id, date_trunc('hour', created_at, 'UTC'), decision, count(*) FROM check_logs GROUP BY 1, 2, 3, 4`,
  );
  await client.query('VACUUM (ANALYZE) check_logs, check_subjects');
  return perHour * times.length;
}

async function newest() {
  return withConnection(stack.database_url, async (client) => {
    const { rows } = await client.query(
      `SELECT status, cardinality(names) AS names, found, (SELECT count(*)::int FROM revisions) AS revised
       FROM second_looks ORDER BY noted_at DESC, id DESC LIMIT 1`,
    );
    return rows[0];
  });
}

/** Ends the pause after the release, and sends checks until the look is done. */
async function secondLook() {
  const before = cpuSeconds(pids);
  const begun = performance.now();
  await withConnection(stack.database_url, (client) =>
    client.query('UPDATE second_looks SET leased_until = now()'),
  );
  const sending = checks(3_600);
  await until(async () => (await newest()).status === 'done', 'the look did not end');
  const seconds = (performance.now() - begun) / 1_000;
  sending.stop();
  const after = cpuSeconds(pids);
  const { found, revised } = await newest();
  const cpuSecondsUsed = Object.fromEntries(
    Object.keys(pids).map((name) => [name, after[name] - before[name]]),
  );
  return { found, revised, seconds, cpuSecondsUsed, beside: await sending.waits() };
}

/** @param {() => Promise<boolean>} isSo @param {string} otherwise */
async function until(isSo, otherwise) {
  const end = performance.now() + 300_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(otherwise);
    await delay(250);
  }
}

function checks(seconds) {
  return steadyChecks({ url: stack.checkUrl, apiKey: stack.api_key, perSecond: RATE, seconds });
}
