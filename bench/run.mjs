import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { inRoot } from '../scripts/lib/paths.mjs';
import { createProgress } from '../scripts/lib/progress.mjs';
import { openBacklog } from './lib/backlog.mjs';
import { COMPANY_DOMAINS, neverSeenBodies, writeBatchBodies, writeBodies } from './lib/bodies.mjs';
import { measure, medianOf } from './lib/measure.mjs';
import { measurePersisted } from './lib/measure-persisted.mjs';
import { paced } from './lib/paced.mjs';
import { cpuSeconds, residentMegabytes } from './lib/process-usage.mjs';
import { printReport } from './lib/report.mjs';
import { startBenchStack } from './lib/stack.mjs';
import { startServer } from './lib/start-server.mjs';
import { ensureWrk, runWrk } from './lib/wrk.mjs';

const CONNECTIONS = [1, 16, 64, 256];
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
/** The compiler of V8 needs some ten thousand checks before the code is as fast as it gets. */
const WARM_UP_SECONDS = 8;
const SLOW_SHARE = 0.05;
const BATCH_SIZE = 100;
const BATCH_CONNECTIONS = 8;
const CANARY = 'canary.bench-corp.com';
/** Checks a second that a worker persists at most beside a floor: enough to last for the measurement. */
const BACKLOG_PER_SECOND = 20_000;

const progress = createProgress();
const mx = { mx: [[10, 'mail.bench-corp.com']] };
const zone = Object.fromEntries([CANARY, ...COMPANY_DOMAINS].map((domain) => [domain, mx]));

ensureWrk();
const dns = await startDnsServer(slowForStrangers(zone));
const stack = await startBenchStack({ name: 'bench', env: { DNS_SERVERS: dns.address, DNS_CANARY: CANARY } });
const { redis, postgres, gateway, scoring, worker } = stack.processes;
const bare = await startServer('bare');
const durable = await startServer('durable', { REDIS_URL: stack.redis_url });
const persisting = await startServer('persisting', {
  REDIS_URL: stack.redis_url,
  DATABASE_URL: stack.database_url,
});
const naive = await startServer('naive', { REDIS_URL: stack.redis_url, SCORING_URL: stack.scoringUrl });

const variants = {
  bare: { url: bare.checkUrl, pids: { bare: bare.pid }, beside: 'backlog' },
  durable: { url: durable.checkUrl, pids: { durable: durable.pid, redis }, beside: 'backlog' },
  persisting: { url: persisting.checkUrl, pids: { persisting: persisting.pid, redis, postgres } },
  naive: { url: naive.checkUrl, pids: { gateway: naive.pid, scoring, redis, worker, postgres } },
  verdict: { url: stack.checkUrl, pids: { gateway, scoring, redis, worker, postgres } },
};

const backlog = await openBacklog({ redisUrl: stack.redis_url, worker });
try {
  const bodies = writeBodies(stack.dataDir);
  await progress.step('warming up', async () => {
    for (const { url } of Object.values(variants))
      await runWrk({ url, apiKey: stack.api_key, bodies, connections: 64, seconds: WARM_UP_SECONDS });
  });

  // Floors are measured while the worker persists, as it always does beside Verdict.
  const alone = await progress.step('backlog alone', () =>
    backlog.beside(BACKLOG_PER_SECOND * SECONDS, () => costOfRedis(redis, SECONDS)),
  );
  const redisPerJob = alone.redisSeconds / Math.max(1, alone.drainedJobs);
  // Interleaved: noise of the machine falls on all variants alike.
  const samples = [];
  for (let round = 1; round <= ROUNDS; round++) {
    for (const connections of CONNECTIONS) {
      await progress.step(`round ${round}, ${connections} conn.`, async (note) => {
        for (const [variant, { url, pids, beside }] of Object.entries(variants)) {
          const run = () =>
            measure({ url, pids, apiKey: stack.api_key, bodies, connections, seconds: SECONDS });
          const sample = beside ? await backlog.beside(BACKLOG_PER_SECOND * SECONDS, run) : await run();
          // A floor is measured beside the worker's jobs, without their cost in Redis.
          if (beside && sample.cpuMicros.redis !== undefined)
            sample.cpuMicros.redis -= (redisPerJob * sample.drainedJobs * 1e6) / Math.max(1, sample.requests);
          samples.push({ variant, connections, round, ...sample });
          note(`${variant} ${Math.round(sample.perSecond)}/s`);
        }
      });
    }
  }

  const slowDns = [];
  for (let round = 1; round <= ROUNDS; round++) {
    await progress.step(`slow DNS, round ${round}`, async () =>
      slowDns.push(await compareSlowDns(round, bodies)),
    );
  }

  const batches = [];
  const batchLoads = loadsOfBatches(bodies);
  await progress.step('warming up batches', () =>
    measurePersisted({ ...batchLoads, loads: { batch: batchLoads.loads.batch } }),
  );
  for (let round = 1; round <= ROUNDS; round++) {
    await progress.step(`batches of ${BATCH_SIZE}, round ${round}`, async () => {
      for (const [variant, sample] of Object.entries(await measurePersisted(batchLoads)))
        batches.push({ variant, round, ...sample });
    });
  }

  const results = {
    machine: `${cpus().length} cores ${cpus()[0]?.model ?? process.arch}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
    rounds: ROUNDS,
    seconds: SECONDS,
    table: medianOf(samples, ['variant', 'connections']),
    batches: { size: BATCH_SIZE, table: medianOf(batches, ['variant']) },
    slowDns: { p99Ratio: median(slowDns.map(({ ratio }) => ratio)), rounds: slowDns },
    residentMegabytes: residentMegabytes(variants.verdict.pids),
  };
  mkdirSync(inRoot('bench/results'), { recursive: true });
  const file = inRoot('bench/results/latest.json');
  const report = printReport(results);
  writeFileSync(file, `${JSON.stringify({ ...results, ratios: report }, null, 2)}\n`);
  console.log(`\nwritten to ${path.relative(inRoot(), file)}`);
} finally {
  await backlog.close();
  await bare.stop();
  await durable.stop();
  await persisting.stop();
  await naive.stop();
  await stack.stop();
  // Answers that are held back must find their socket still open.
  await delay(1_500);
  await dns.close();
}

/** CPU that Redis spends on a draining backlog in so many seconds. */
async function costOfRedis(pid, seconds) {
  const before = cpuSeconds({ pid });
  await delay(seconds * 1_000);
  return { redisSeconds: cpuSeconds({ pid }).pid - before.pid };
}

/** Names under slow-corp.com exist, but their server takes a second: far beyond the deadline of a check. */
function slowForStrangers(known) {
  return new Proxy(known, {
    get(target, name) {
      if (typeof name === 'string' && name.endsWith('.slow-corp.com')) return { ...mx, after: delay(1_000) };
      return target[name];
    },
  });
}

/** p99 of ordinary traffic without and with five percent of never-seen domains beside it. */
async function compareSlowDns(round, bodies) {
  const { url } = variants.verdict;
  const ordinary = { url, apiKey: stack.api_key, bodies, connections: 60, seconds: SECONDS };
  const without = await runWrk(ordinary);
  const [beside, slow] = await Promise.all([
    runWrk(ordinary),
    paced({
      url,
      apiKey: stack.api_key,
      bodies: neverSeenBodies(`${round}-${Date.now()}`),
      perSecond: Math.round(without.perSecond * SLOW_SHARE),
      seconds: SECONDS,
    }),
  ]);
  return {
    withoutP99Ms: without.p99Ms,
    besideP99Ms: beside.p99Ms,
    ratio: beside.p99Ms / without.p99Ms,
    slowShare: slow.answered / (slow.answered + beside.requests),
    slowFailures: slow.failures,
  };
}

function loadsOfBatches(bodies) {
  const load = { apiKey: stack.api_key, seconds: SECONDS };
  const batchUrl = `${stack.checkUrl}batch/`;
  const batchBodies = writeBatchBodies(stack.dataDir, BATCH_SIZE);
  return {
    pids: variants.verdict.pids,
    redisUrl: stack.redis_url,
    loads: {
      single: { checks: 1, load: { ...load, url: stack.checkUrl, bodies, connections: 64 } },
      batch: {
        checks: BATCH_SIZE,
        load: { ...load, url: batchUrl, bodies: batchBodies, connections: BATCH_CONNECTIONS },
      },
    },
  };
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
