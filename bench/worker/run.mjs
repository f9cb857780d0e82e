// `npm run bench:worker`: what it costs to bring checks from the queue into Postgres, rollups included, at an empty
// table and at five million stored checks, beside a bare multi-row insert in the same run. JSON on standard output.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { CHECK_LOG_JOB } from '@verdict/contracts/check-log-job.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import { CHECK_LOG_JOB_OPTIONS } from '@verdict/queues/check-log-job-options.js';
import { CHECK_LOG_QUEUE, shardPrefix } from '@verdict/queues/queue-names.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { noteKey } from '@verdict/redis-store/keys.js';
import { Queue } from 'bullmq';
import { Pool } from 'pg';
import { inRoot } from '../../scripts/lib/paths.mjs';
import { cpuSeconds } from '../lib/process-usage.mjs';
import { startBenchStack } from '../lib/stack.mjs';
import { insertBare } from './bare-insert.mjs';
import { createCheckLogs, toBatch } from './check-logs.mjs';
import { fillTables } from './fill-tables.mjs';

const ROWS = Number(process.env.BENCH_ROWS ?? 60_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const JOB_CHECKS = Number(process.env.BENCH_JOB_CHECKS ?? 100);
const STORED = Number(process.env.BENCH_STORED ?? 5_000_000);

const say = (text) => process.stderr.write(`${text}\n`);
const stack = await startBenchStack({ name: 'bench-worker', env: { LOG_LEVEL: 'warn' } });
const { worker, postgres, redis: redisPid } = stack.processes;
const pool = new Pool({ connectionString: stack.database_url, max: 2 });
const redis = connectForQueues({ url: stack.redis_url }, 'bench');
const queue = new Queue(CHECK_LOG_QUEUE, {
  connection: redis,
  prefix: shardPrefix(0),
  skipVersionCheck: true,
});
queue.on('error', (error) => say(error.message));

try {
  await round();
  const bare = await series('bare multi-row insert', async () => {
    const before = process.cpuUsage();
    const seconds = await insertBare(pool, createCheckLogs(ROWS));
    const { user, system } = process.cpuUsage(before);
    return { rows_per_second: ROWS / seconds, node_us_per_row: (user + system) / ROWS };
  });
  const empty = await series('worker, empty tables', round);
  say(`storing ${STORED} checks`);
  await fillTables(pool, STORED);
  const full = await series(`worker, ${STORED} stored`, round);

  const report = {
    machine: { cores: cpus().length, model: cpus()[0]?.model ?? '', node: process.version },
    rows: ROWS,
    rounds: ROUNDS,
    checks_per_job: JOB_CHECKS,
    bare_insert: bare,
    worker_empty: empty,
    worker_stored: { stored: STORED, ...full },
    cost_at_stored: {
      wall: empty.rows_per_second / full.rows_per_second,
      cpu: full.total_us_per_row / empty.total_us_per_row,
    },
  };
  const text = JSON.stringify(report, round2, 2);
  writeFileSync(inRoot('bench/results/worker.json'), `${text}\n`);
  process.stdout.write(`${text}\n`);
} finally {
  await queue.close();
  redis.disconnect();
  await pool.end();
  await stack.stop();
}

/** One batch through the real worker: queued while it is halted, timed from its first breath until nothing is left. */
async function round() {
  process.kill(worker, 'SIGSTOP');
  const logs = createCheckLogs(ROWS);
  for (let at = 0; at < logs.length; at += JOB_CHECKS) {
    const { id, job, note } = toBatch(logs.slice(at, at + JOB_CHECKS));
    await redis.set(noteKey(0, id), JSON.stringify(note));
    await queue.add(CHECK_LOG_JOB, job, { ...CHECK_LOG_JOB_OPTIONS, jobId: id });
  }
  const pids = { worker, postgres, redis: redisPid };
  const before = cpuSeconds(pids);
  const start = process.hrtime.bigint();
  process.kill(worker, 'SIGCONT');
  for (;;) {
    const { waiting, active } = await readBacklog(redis, 1);
    if (waiting + active === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const after = cpuSeconds(pids);
  const us = Object.fromEntries(
    Object.keys(pids).map((name) => [name, ((after[name] - before[name]) * 1e6) / ROWS]),
  );
  return {
    rows_per_second: ROWS / seconds,
    node_us_per_row: us.worker,
    postgres_us_per_row: us.postgres,
    redis_us_per_row: us.redis,
    total_us_per_row: us.worker + us.postgres + us.redis,
  };
}

/** The median of several rounds, figure by figure. */
async function series(name, measure) {
  const samples = [];
  for (let i = 0; i < ROUNDS; i++) samples.push(await measure());
  const median = Object.fromEntries(
    Object.keys(samples[0]).map((field) => {
      const sorted = samples.map((sample) => sample[field]).sort((a, b) => a - b);
      return [field, sorted[Math.floor(sorted.length / 2)]];
    }),
  );
  say(
    `${name}: ${Math.round(median.rows_per_second)} rows/s, ${median.node_us_per_row.toFixed(1)} us of Node a row`,
  );
  return median;
}

function round2(_key, value) {
  return typeof value === 'number' ? Math.round(value * 100) / 100 : value;
}
