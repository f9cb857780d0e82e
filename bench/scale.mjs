import { mkdirSync, writeFileSync } from 'node:fs';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { inRoot } from '../scripts/lib/paths.mjs';
import { createProgress } from '../scripts/lib/progress.mjs';
import { fillLogs, makeAccounts, makeListedAccount } from './lib/bench-accounts.mjs';
import { COMPANY_DOMAINS, writeBodies } from './lib/bodies.mjs';
import { measure, medianOf } from './lib/measure.mjs';
import { startBenchStack } from './lib/stack.mjs';
import { ensureWrk, runWrk } from './lib/wrk.mjs';

/** `npm run bench:scale`: does a check cost more with many accounts, long lists or a full log? */
const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 10_000);
const LIST_ENTRIES = Number(process.env.BENCH_LIST_ENTRIES ?? 10_000);
const LOGS = Number(process.env.BENCH_LOGS ?? 5_000_000);
const ROUNDS = 3;
/** Where two loads alternate, Postgres cleans up behind both at irregular times: more rounds for a fair median. */
const ROUNDS_IN_TURN = 5;
const SECONDS = 4;
/** The worker notes every ten seconds which keys were used: what is measured must be those of the same load. */
const LEAD_SECONDS = 11;
const WARM_UP_SECONDS = 8;
const CANARY = 'canary.bench-corp.com';

const progress = createProgress();
const mx = { mx: [[10, 'mail.bench-corp.com']] };
ensureWrk();
const dns = await startDnsServer(
  Object.fromEntries([CANARY, ...COMPANY_DOMAINS].map((domain) => [domain, mx])),
);
const stack = await startBenchStack({
  name: 'bench-scale',
  env: { DNS_SERVERS: dns.address, DNS_CANARY: CANARY },
});
const { gateway, scoring, redis, worker, postgres } = stack.processes;
const pids = { gateway, scoring, redis, worker, postgres };

try {
  const bodies = writeBodies(stack.dataDir);
  const source = { databaseUrl: stack.database_url, directory: stack.dataDir, bodies };
  await runWrk(load(bodies, WARM_UP_SECONDS));
  const many = await progress.step('making accounts', () => makeAccounts(source, ACCOUNTS));
  const listed = await progress.step('making a list', () => makeListedAccount(source, LIST_ENTRIES));
  await progress.step('first use of each', () => runWrk(load(many, 60)));

  const [one, others] = await progress.step('accounts', (note) =>
    compare(['1 account', bodies], [`${ACCOUNTS.toLocaleString('en')} accounts`, many], note),
  );
  const [unlisted, long] = await progress.step('lists', (note) =>
    compare(['no list', bodies], [`${LIST_ENTRIES.toLocaleString('en')} list entries`, listed], note),
  );
  const few = await sample('small log', bodies);
  await progress.step('filling the log', (note) => fillLogs(stack.database_url, LOGS, note));
  // V8 forgets code that was idle for minutes; what is compared is the log, not how awake the gateway is.
  await runWrk(load(bodies, WARM_UP_SECONDS));
  const lots = await sample(`${LOGS.toLocaleString('en')} stored logs`, bodies);

  const rows = [one, others, unlisted, long, few, lots];
  const ratios = {
    accounts: total(others) / total(one),
    lists: total(long) / total(unlisted),
    logs: total(lots) / total(few),
  };
  for (const row of rows)
    console.log(
      `${row.variant.padEnd(24)} ${total(row).toFixed(0).padStart(5)} us CPU per check, all processes`,
    );
  for (const [name, ratio] of Object.entries(ratios)) {
    console.log(
      `${name.padEnd(24)} ${ratio.toFixed(2).padStart(5)}  at most 1.10${ratio <= 1.1 ? '' : '  NOT MET'}`,
    );
  }
  mkdirSync(inRoot('bench/results'), { recursive: true });
  writeFileSync(inRoot('bench/results/scale.json'), `${JSON.stringify({ rows, ratios }, null, 2)}\n`);
} finally {
  await stack.stop();
  await dns.close();
}

function load(file, seconds) {
  return { url: stack.checkUrl, apiKey: stack.api_key, bodies: file, connections: 64, seconds };
}

/** Both in turn, round by round: the machine's noise falls on both alike. @returns {Promise<[object, object]>} */
async function compare(small, large, note) {
  const samples = [];
  for (let round = 1; round <= ROUNDS_IN_TURN; round++) {
    note(`round ${round} of ${ROUNDS_IN_TURN}`);
    for (const [variant, bodies] of [small, large]) {
      await runWrk(load(bodies, LEAD_SECONDS));
      samples.push({ variant, round, ...(await measure({ ...load(bodies, SECONDS), pids })) });
    }
  }
  return medianOf(samples, ['variant']);
}

async function sample(variant, file) {
  const samples = [];
  await progress.step(variant, async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      samples.push({ variant, round, ...(await measure({ ...load(file, SECONDS), pids })) });
    }
  });
  return medianOf(samples, ['variant'])[0];
}

function total(row) {
  return Object.values(row.cpuMicros).reduce((sum, micros) => sum + micros, 0);
}
