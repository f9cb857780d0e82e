import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { createProgress } from '../scripts/lib/progress.mjs';
import { fillLogs, makeAccounts, makeListedAccount } from './lib/bench-accounts.mjs';
import { COMPANY_DOMAINS } from './lib/bodies.mjs';
import { openDrain } from './lib/drain.mjs';
import { measure, medianOf } from './lib/measure.mjs';
import { startBenchStack } from './lib/stack.mjs';
import { writeResults } from './lib/write-results.mjs';
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
const drain = openDrain(stack.redis_url);

try {
  const source = { databaseUrl: stack.database_url, directory: stack.dataDir };
  const alone = await makeAccounts(source, 1);
  await runWrk(load(alone, WARM_UP_SECONDS));
  const many = await progress.step('making accounts', () => makeAccounts(source, ACCOUNTS));
  const listed = await progress.step('making a list', () => makeListedAccount(source, LIST_ENTRIES));
  await progress.step('first use of each', () => runWrk(load(many, 60)));

  const [one, others] = await progress.step('accounts', (note) =>
    compare(['1 account', alone], [`${ACCOUNTS.toLocaleString('en')} accounts`, many], note),
  );
  const [unlisted, long] = await progress.step('lists', (note) =>
    compare(['no list', alone], [`${LIST_ENTRIES.toLocaleString('en')} list entries`, listed], note),
  );
  const few = await sample('small log', alone);
  await progress.step('filling the log', (note) => fillLogs(stack.database_url, LOGS, note));
  // V8 forgets code that was idle for minutes; what is compared is the log, not how awake the gateway is.
  await runWrk(load(alone, WARM_UP_SECONDS));
  const lots = await sample(`${LOGS.toLocaleString('en')} stored logs`, alone);

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
  writeResults('scale', { rows, ratios });
} finally {
  drain.close();
  await stack.stop();
  await dns.close();
}

function load(keys, seconds) {
  return { url: stack.checkUrl, keys, connections: 64, seconds };
}

const measured = (keys) => measure({ ...load(keys, SECONDS), pids, drained: drain.wait });

/** Both in turn, round by round: the machine's noise falls on both alike. @returns {Promise<[object, object]>} */
async function compare(small, large, note) {
  const samples = [];
  for (let round = 1; round <= ROUNDS_IN_TURN; round++) {
    note(`round ${round} of ${ROUNDS_IN_TURN}`);
    for (const [variant, keys] of [small, large]) {
      await runWrk(load(keys, LEAD_SECONDS));
      samples.push({ variant, round, ...(await measured(keys)) });
    }
  }
  return medianOf(samples, ['variant']);
}

async function sample(variant, keys) {
  const samples = [];
  await progress.step(variant, async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      samples.push({ variant, round, ...(await measured(keys)) });
    }
  });
  return medianOf(samples, ['variant'])[0];
}

function total(row) {
  return Object.values(row.cpuMicros).reduce((sum, micros) => sum + micros, 0);
}
