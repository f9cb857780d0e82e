// `npm run bench`: what a check costs, against floors, in turns on this machine. `--quick`, `--against DIR`.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { inRoot } from '../scripts/lib/paths.mjs';
import { createProgress } from '../scripts/lib/progress.mjs';
import { makeAccounts } from './lib/bench-accounts.mjs';
import { benchOptions } from './lib/bench-options.mjs';
import { COMPANY_DOMAINS, neverSeenBodies } from './lib/bodies.mjs';
import { GARBAGE_ENV } from './lib/count-garbage.mjs';
import { openDrain } from './lib/drain.mjs';
import { measure, medianOf } from './lib/measure.mjs';
import { paced } from './lib/paced.mjs';
import { residentMegabytes } from './lib/process-usage.mjs';
import { priceOfBursts, ratiosOf } from './lib/ratios.mjs';
import { printComparison, printReport } from './lib/report.mjs';
import { startBenchStack } from './lib/stack.mjs';
import { startServer } from './lib/start-server.mjs';
import { machine, writeResults } from './lib/write-results.mjs';
import { ensureWrk, runWrk } from './lib/wrk.mjs';

const ACCOUNTS = 8;
const MANY = 64;
const BATCH_SIZE = 100;
const BATCH_CONNECTIONS = 8;
const ONE_SECONDS = 2;
const SLOW_SHARE = 0.05;
const CANARY = 'canary.bench-corp.com';

const { rounds, seconds, warmUpSeconds, hasSlowDns, against, isPublished } = benchOptions(
  process.argv.slice(2),
);
/** Goals are meant for Node 20; those of another Node go to another file. */
const major = Number(process.versions.node.split('.')[0]);
const resultsName = major === 20 ? 'latest' : `latest-on-node-${major}`;
const progress = createProgress();
const mx = { mx: [[10, 'mail.bench-corp.com']] };
const zone = Object.fromEntries([CANARY, ...COMPANY_DOMAINS].map((domain) => [domain, mx]));

ensureWrk();
rmSync(GARBAGE_ENV.BENCH_GARBAGE_DIRECTORY, { recursive: true, force: true });
const dns = await startDnsServer(slowForStrangers(zone));
const roots = { verdict: inRoot(), ...(against && { against: path.resolve(against) }) };
const env = { ...GARBAGE_ENV, DNS_SERVERS: dns.address, DNS_CANARY: CANARY };
const checkouts = {};
/** This checkout without counting repetitions, in turns with the others: its difference is their price. */
let withoutBursts;
const servers = {};

try {
  for (const [name, root] of Object.entries(roots))
    checkouts[name] = await openCheckout(`bench-${name}`, root);
  withoutBursts = await openCheckout('bench-without-bursts', roots.verdict, { BURSTS: 'off' });
  const { stack, keys } = checkouts.verdict;
  const stores = { REDIS_URL: stack.redis_url, DATABASE_URL: stack.database_url };
  for (const name of ['bare', 'durable', 'persisting'])
    servers[name] = await startServer(name, { ...stores, ...GARBAGE_ENV });
  const { redis, postgres } = stack.processes;
  const floor = (name, others = {}) => ({
    url: servers[name].checkUrl,
    pids: { [name]: servers[name].pid, ...others },
    keys,
    // Alone: what Verdict left in its queue is stored first.
    drained: drainAll,
  });
  const floors = {
    bare: floor('bare'),
    durable: floor('durable', { redis }),
    persisting: floor('persisting', { redis, postgres }),
  };

  const many = { connections: MANY, seconds };
  const one = { connections: 1, seconds: ONE_SECONDS };
  const runs = Object.entries(floors).map(([variant, load]) => ({ variant, kind: 'many', ...load, ...many }));
  runs.push({ variant: 'durable', kind: 'one', ...floors.durable, ...one });
  for (const [variant, { load, batchUrl }] of Object.entries(checkouts)) {
    const batch = { url: batchUrl, traffic: 'batch', checks: BATCH_SIZE, connections: BATCH_CONNECTIONS };
    runs.push({ variant, kind: 'people', ...load, ...many });
    runs.push({ variant, kind: 'attack', ...load, ...many, traffic: 'attack' });
    runs.push({ variant, kind: 'one', ...load, ...one });
    runs.push({ variant, kind: 'batch', ...load, ...many, ...batch });
  }
  for (const traffic of ['people', 'attack'])
    runs.push({ variant: 'without', kind: traffic, ...withoutBursts.load, ...many, traffic });

  await progress.step('warming up', async () => {
    for (const { kind, ...run } of runs) if (kind !== 'one') await runWrk({ ...run, seconds: warmUpSeconds });
    await drainAll();
  });
  // In turns, and every other round backwards: the noise of the machine and what went before fall on all alike.
  const samples = [];
  for (let round = 1; round <= rounds; round++) {
    await progress.step(`round ${round} of ${rounds}`, async (note) => {
      for (const run of round % 2 === 1 ? runs : [...runs].reverse()) {
        const { variant, kind, ...load } = run;
        const sample = await measure(load);
        samples.push({ variant, kind, round, ...sample });
        note(`${variant} ${kind} ${Math.round(sample.perSecond)}/s`);
      }
    });
  }
  const slow = {};
  for (const [name, checkout] of hasSlowDns ? Object.entries(checkouts) : [])
    slow[name] = await progress.step(`slow DNS, ${name}`, () => slowDnsP99(checkout));

  const figures = byVariant(medianOf(samples, ['variant', 'kind']));
  const { bare, durable, persisting } = figures;
  const measured = { bare, durable, persisting };
  // Within a round, because a machine that slows down slows both: the median of ratios, not the ratio of medians.
  const perRound = Array.from({ length: rounds }, (_, i) =>
    byVariant(samples.filter(({ round }) => round === i + 1)),
  );
  const report = Object.fromEntries(
    Object.keys(checkouts).map((name) => {
      const ratios = perRound.map((round) => ({ of: name, ...ratiosOf(round.durable, round[name]) }));
      const [{ of, ...median }] = medianOf(ratios, ['of']);
      const bursts = name === 'verdict' ? burstsOf(perRound) : {};
      const slowDns = slow[name] === undefined ? {} : { slow_dns_p99: slow[name] };
      return [name, { verdict: figures[name], ratios: { ...median, ...bursts, ...slowDns } }];
    }),
  );
  const head = {
    rounds,
    seconds,
    accounts: ACCOUNTS,
  };
  const published = JSON.parse(readFileSync(inRoot('bench/results/latest.json'), 'utf8'));
  printReport({ machine, ...head, floors: measured, checkouts: report }, published);
  if (against) printComparison(perRound);
  if (isPublished) {
    const { load } = checkouts.verdict;
    const memory = residentMegabytes(load.pids);
    writeResults(resultsName, { ...head, floors: measured, ...report.verdict, residentMegabytes: memory });
  }
} finally {
  for (const server of Object.values(servers)) await server.stop();
  for (const { stack, drain } of opened()) {
    drain.close();
    await stack.stop();
  }
  // Answers that are held back must find their socket still open.
  await delay(1_500);
  await dns.close();
}

async function openCheckout(name, root, settings = {}) {
  const stack = await startBenchStack({ name, root, env: { ...env, ...settings } });
  const { gateway, scoring, redis, worker, postgres } = stack.processes;
  const keys = await makeAccounts({ databaseUrl: stack.database_url, directory: stack.dataDir }, ACCOUNTS);
  const drain = openDrain(stack.redis_url);
  const pids = { gateway, scoring, redis, worker, postgres };
  const load = { url: stack.checkUrl, pids, keys, drained: drainAll };
  return { stack, keys, drain, load, batchUrl: `${stack.checkUrl}batch/` };
}

function byVariant(samples) {
  const figures = {};
  for (const { variant, kind, ...sample } of samples)
    figures[variant] = { ...figures[variant], [kind]: sample };
  return figures;
}

function opened() {
  return [...Object.values(checkouts), ...(withoutBursts ? [withoutBursts] : [])];
}

async function drainAll() {
  for (const { drain } of opened()) await drain.wait();
}

/** The median of the differences within each round. */
function burstsOf(perRound) {
  const prices = perRound.map(({ durable, verdict, without }) => ({
    of: 'bursts',
    ...priceOfBursts(durable, verdict, without),
  }));
  const [{ of, ...median }] = medianOf(prices, ['of']);
  return median;
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

/** p99 of ordinary traffic with five percent of never-seen domains beside it, to without; the median of three. */
async function slowDnsP99({ load: { url, keys }, stack }) {
  const ratios = [];
  for (let round = 1; round <= 3; round++) {
    const ordinary = { url, keys, connections: MANY - 4, seconds };
    const without = await runWrk(ordinary);
    const perSecond = Math.round(without.perSecond * SLOW_SHARE);
    const bodies = neverSeenBodies(`${round}-${Date.now()}`);
    const [beside, slow] = await Promise.all([
      runWrk(ordinary),
      paced({ url, apiKey: stack.api_key, bodies, perSecond, seconds }),
    ]);
    if (slow.failures > 0) throw new Error(`${slow.failures} checks of never-seen domains failed`);
    ratios.push(beside.p99Ms / without.p99Ms);
  }
  return ratios.sort((a, b) => a - b)[1];
}
