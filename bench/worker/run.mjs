// `npm run bench:worker`: what it costs to bring checks from the queue into Postgres, rollups included, at an empty table
// and at five million stored checks. `--against DIR` compares another checkout in turns instead, and stores no figures.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { Pool } from 'pg';
import { inRoot } from '../../scripts/lib/paths.mjs';
import { createProgress } from '../../scripts/lib/progress.mjs';
import { makeAccounts } from '../lib/bench-accounts.mjs';
import { COMPANY_DOMAINS } from '../lib/bodies.mjs';
import { allocatedKilobytes, GARBAGE_ENV } from '../lib/count-garbage.mjs';
import { openDrain } from '../lib/drain.mjs';
import { medianOf } from '../lib/measure.mjs';
import { cpuSeconds } from '../lib/process-usage.mjs';
import { startBenchStack } from '../lib/stack.mjs';
import { writeResults } from '../lib/write-results.mjs';
import { ensureWrk, runWrk } from '../lib/wrk.mjs';
import { fillTables } from './fill-tables.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const STORED = Number(process.env.BENCH_STORED ?? 5_000_000);
const ACCOUNTS = 8;
const CANARY = 'canary.bench-corp.com';

const { against } = parseArgs({ options: { against: { type: 'string' } } }).values;
const progress = createProgress();
ensureWrk();
const mx = { mx: [[10, 'mail.bench-corp.com']] };
const dns = await startDnsServer(
  Object.fromEntries([CANARY, ...COMPANY_DOMAINS].map((domain) => [domain, mx])),
);
const env = { ...GARBAGE_ENV, DNS_SERVERS: dns.address, DNS_CANARY: CANARY, LOG_LEVEL: 'warn' };
const checkouts = {};

try {
  checkouts.verdict = await open(inRoot());
  if (against) checkouts.against = await open(path.resolve(against));
  await progress.step('warming up', () => inTurns(1));
  const empty = await progress.step('empty tables', (note) => inTurns(ROUNDS, note));
  for (const { variant, ...figures } of empty) console.log(variant, figures);
  if (!against) {
    await progress.step(`storing ${STORED}`, () => fillTables(checkouts.verdict.pool, STORED));
    const [stored] = await progress.step('full tables', (note) => inTurns(ROUNDS, note));
    const [{ variant, ...alone }] = empty;
    const total = ({ us_per_row }) => Object.values(us_per_row).reduce((sum, us) => sum + us, 0);
    const { variant: _, ...full } = stored;
    writeResults('worker', {
      rounds: ROUNDS,
      worker_empty: alone,
      worker_stored: { stored: STORED, ...full },
      cost_at_stored: { wall: alone.rows_per_second / full.rows_per_second, cpu: total(full) / total(alone) },
    });
  }
} finally {
  for (const { stack, drain, pool } of Object.values(checkouts)) {
    drain.close();
    await pool.end();
    await stack.stop();
  }
  await dns.close();
}

async function open(root) {
  const stack = await startBenchStack({ name: 'bench-worker', root, env });
  const keys = await makeAccounts({ databaseUrl: stack.database_url, directory: stack.dataDir }, ACCOUNTS);
  const pool = new Pool({ connectionString: stack.database_url, max: 1 });
  return { stack, keys, pool, drain: openDrain(stack.redis_url) };
}

/** The medians of every checkout over the rounds; every other round goes backwards. */
async function inTurns(rounds, note = () => {}) {
  const samples = [];
  for (let round = 1; round <= rounds; round++) {
    note(`round ${round} of ${rounds}`);
    const order = Object.entries(checkouts);
    for (const [variant, checkout] of round % 2 === 1 ? order : order.reverse())
      samples.push({ variant, round, ...(await drainOnce(checkout)) });
  }
  return medianOf(samples, ['variant']);
}

/** Real checks queued while the worker is halted, then timed from its first breath until nothing is left. */
async function drainOnce({ stack, keys, drain }) {
  const { worker, postgres, redis } = stack.processes;
  await drain.wait();
  const garbage = await allocatedKilobytes({ worker });
  process.kill(worker, 'SIGSTOP');
  const load = { url: stack.checkUrl, keys, connections: 64, seconds: SECONDS };
  const pids = { worker, postgres, redis };
  const queued = runWrk(load).then((outcome) => ({ ...outcome, before: cpuSeconds(pids) }));
  const { requests, failures, before } = await queued.finally(() => process.kill(worker, 'SIGCONT'));
  const began = performance.now();
  if (failures > 0) throw new Error(`${failures} of ${requests} checks failed`);
  await drain.wait();
  const seconds = (performance.now() - began) / 1_000;
  const after = cpuSeconds(pids);
  const usOf = (name) => ((after[name] - before[name]) * 1e6) / requests;
  return {
    rows_per_second: requests / seconds,
    us_per_row: Object.fromEntries(Object.keys(pids).map((name) => [name, usOf(name)])),
    garbage_kb_per_row: ((await allocatedKilobytes({ worker })).worker - garbage.worker) / requests,
  };
}
