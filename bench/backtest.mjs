import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { encodeTime } from '@verdict/domain/id.js';
import pg from 'pg';
import { cpuSeconds, residentMegabytes } from './lib/process-usage.mjs';
import { startBenchStack } from './lib/stack.mjs';
import { steadyChecks } from './lib/steady-checks.mjs';
import { writeResults } from './lib/write-results.mjs';

/**
 * `npm run bench:backtest -- --checks 1000000` backtests a month of stored checks under a policy of twenty rules. The
 * memory of the worker must not grow with the rows, and checks beside it must not be slower than alone.
 */
const { values } = parseArgs({
  options: { checks: { type: 'string', default: '1000000' }, rate: { type: 'string', default: '200' } },
});
const CHECKS = Number(values.checks);
const RATE = Number(values.rate);
const DAYS = 30;
const HOUR_MS = 3_600_000;
const BESIDE_SECONDS = 20;
const SAMPLE_MS = 500;
const GOAL = 1.1;

const stack = await startBenchStack({ name: 'bench-backtest', env: { REQUESTS_PER_MINUTE: '1000000' } });
const { worker, postgres, gateway } = stack.processes;
const pids = { worker, postgres, gateway };

try {
  const stored = await withClient(fill);
  await call('policies/', 'POST', { rules: policy() });
  await checksBeside(); // caches, compiled code and connections are what they will be
  const alone = await checksBeside();
  const run = await backtest();
  if (run.judged !== stored) throw new Error(`${run.judged} of ${stored} checks were judged`);
  const report = {
    ratios: {
      p50Beside: run.beside.p50Ms / alone.p50Ms,
      p99Beside: run.beside.p99Ms / alone.p99Ms,
      workerMemoryLateToEarly: run.lateMegabytes / run.earlyMegabytes,
    },
    alone,
    ...run,
  };
  console.log(report);
  writeResults('backtest', report);
  if (report.ratios.workerMemoryLateToEarly > GOAL) process.stdout.write('memory: NOT MET\n');
} finally {
  await stack.stop();
}

/** A month of checks of the account, one hour after the other. Returns how many. */
async function fill(client) {
  await client.query('SET statement_timeout = 0');
  const hours = DAYS * 24;
  const start = Math.floor((Date.now() - DAYS * 24 * HOUR_MS) / HOUR_MS) * HOUR_MS + HOUR_MS;
  const { rows } = await client.query('SELECT account_id FROM api_keys WHERE id = $1', [stack.api_key_id]);
  const times = Array.from({ length: hours - 1 }, (_, hour) => encodeTime(start + hour * HOUR_MS));
  const perHour = Math.ceil(CHECKS / times.length);
  // Those of the next months too: the worker would make them meanwhile, and wait for these statements with locks.
  for (const months of [-1, 0, 1, 2])
    await client.query(`SELECT ensure_check_partitions((now() + make_interval(months => $1))::date)`, [
      months,
    ]);
  const values = [rows[0].account_id, stack.api_key_id, times, new Date(start).toISOString(), perHour];
  await client.query(
    `INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, verdict_score, signals, factors, datasets, request_id,
       created_at, extra, seen, ip_network)
     SELECT 'log_' || ($3::text[])[1 + hour] || lpad(upper(to_hex(hour * $5 + n)), 16, '0'), $1, $2,
       CASE WHEN score < 30 THEN 'allow' WHEN score < 55 THEN 'challenge' WHEN score < 80 THEN 'review' ELSE 'block' END, score, score,
       jsonb_build_object('disposable_email', n % 7 = 0, 'mx_valid', true, 'free_provider', n % 3 = 0),
       jsonb_build_array(jsonb_build_object('code', (ARRAY['RELAY_DOMAIN', 'PLUS_TAG', 'ROLE_ACCOUNT'])[1 + n % 3], 'points', score)),
       'd', 'req_' || n, $4::timestamptz + hour * interval '1 hour' + n * interval '0.4 seconds',
       CASE WHEN n % 5 = 0 THEN '{relay}'::text[] ELSE '{}' END, ARRAY[1 + n % 16, NULL, NULL, 1]::smallint[],
       (ARRAY['', 'vpn', 'tor', 'hosting'])[1 + n % 4]
     FROM generate_series(0, cardinality($3::text[]) - 1) hour, generate_series(1, $5::int) n, LATERAL (SELECT (n * 37) % 101 AS score) s
     ORDER BY hour, n`,
    values,
  );
  await client.query(
    `INSERT INTO check_subjects (id, account_id, domain, email_hash, reasons, created_at)
     SELECT id, account_id, 'company' || length(request_id) || '.example', id, '[]', created_at FROM check_logs WHERE account_id = $1
     ORDER BY created_at`,
    [values[0]],
  );
  await client.query(
    `INSERT INTO usage_hourly (account_id, key_id, hour, decision, checks)
     SELECT account_id, key_id, date_trunc('hour', created_at, 'UTC'), decision, count(*) FROM check_logs
     WHERE account_id = $1 GROUP BY 1, 2, 3, 4`,
    [values[0]],
  );
  await client.query('VACUUM (ANALYZE) check_logs, check_subjects');
  return perHour * times.length;
}

/** Twenty rules of five conditions each. */
function policy() {
  return Array.from({ length: 20 }, (_, i) => ({
    name: `Rule ${i}`,
    when: {
      all: [
        { field: 'score', op: 'gte', value: 5 * i },
        { field: 'codes', op: 'has', value: i % 2 === 0 ? 'RELAY_DOMAIN' : 'PLUS_TAG' },
        {
          any: [
            { field: 'domain', op: 'under', value: `company${i}.example` },
            { field: 'ip.kind', op: 'eq', value: 'tor' },
            { field: 'seen.mailbox', op: 'gte', value: 1 + (i % 16) },
          ],
        },
      ],
    },
    then: i % 4 === 0 ? { watch: true } : { at_least: 'review' },
  }));
}

async function withClient(work) {
  const client = new pg.Client({ connectionString: stack.database_url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function call(path, method = 'GET', body = undefined) {
  const login = await fetch(`${stack.base_url}auth/jwt/create/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: stack.email, password: stack.password }),
  });
  const { access } = await login.json();
  const answer = await fetch(`${stack.base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${access}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const reply = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${reply.error}`);
  return reply;
}

/** Starts it, sends checks beside it, and reads the worker's memory until it is done. */
async function backtest() {
  const cpuBefore = cpuSeconds(pids);
  const began = performance.now();
  const from = new Date(Date.now() - DAYS * 24 * HOUR_MS).toISOString();
  const to = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS).toISOString();
  const started = await call('policies/1/backtest/', 'POST', { from, to });
  let beside = null;
  const sending = checksBeside().then((measured) => {
    beside = measured;
  });
  const samples = [];
  const statusNow = async (client) => {
    const { rows } = await client.query('SELECT status FROM policy_backtests WHERE id = $1', [
      started.backtest.id,
    ]);
    return rows[0].status;
  };
  let status = 'running';
  while (status === 'running') {
    await delay(SAMPLE_MS);
    samples.push(residentMegabytes(pids).worker.now);
    status = await withClient(statusNow);
  }
  const seconds = (performance.now() - began) / 1_000;
  const cpuAfter = cpuSeconds(pids);
  await sending;
  const { judged, changed } = (await call(`policies/backtests/${started.backtest.id}/`)).backtest;
  const micros = (name) => ((cpuAfter[name] - cpuBefore[name]) * 1e6) / judged;
  return {
    status,
    judged,
    changed,
    seconds,
    checksPerSecond: judged / seconds,
    cpuMicrosPerCheck: { worker: micros('worker'), postgres: micros('postgres') },
    earlyMegabytes: quarter(samples, 1),
    lateMegabytes: quarter(samples, 3),
    beside,
  };
}

function checksBeside() {
  const load = { url: stack.checkUrl, apiKey: stack.api_key, perSecond: RATE, seconds: BESIDE_SECONDS };
  return steadyChecks(load).waits();
}

/** Median resident size of the worker in one quarter of the run, counted from 0. */
function quarter(samples, index) {
  const size = Math.floor(samples.length / 4) || 1;
  const part = samples.slice(index * size, (index + 1) * size).sort((a, b) => a - b);
  return part[Math.floor(part.length / 2)] ?? 0;
}
