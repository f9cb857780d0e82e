import { mkdirSync, writeFileSync } from 'node:fs';
import { startDnsServer } from '@verdict/scoring/dist/test/support/dns-server.js';
import { inRoot } from '../scripts/lib/paths.mjs';
import { createProgress } from '../scripts/lib/progress.mjs';
import { COMPANY_DOMAINS, writeBodies } from './lib/bodies.mjs';
import { fillLogs, makeAccounts } from './lib/many-accounts.mjs';
import { measure, medianOf } from './lib/measure.mjs';
import { startBenchStack } from './lib/stack.mjs';
import { ensureWrk, runWrk } from './lib/wrk.mjs';

/** `npm run bench:scale`: does a check cost more with many accounts, long lists or a full log? */
const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 10_000);
const LIST_ENTRIES = Number(process.env.BENCH_LIST_ENTRIES ?? 10_000);
const LOGS = Number(process.env.BENCH_LOGS ?? 5_000_000);
const ROUNDS = 3;
/** Accounts differ in what happens now and then, and Postgres cleans up behind both: more rounds for a fair median. */
const ROUNDS_OF_ACCOUNTS = 5;
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
  await runWrk(load(bodies, WARM_UP_SECONDS));
  const many = await progress.step('making accounts', () =>
    makeAccounts(stack.database_url, stack.dataDir, ACCOUNTS),
  );
  await progress.step('first use of each', () => runWrk(load(many, 60)));

  const samples = [];
  await progress.step('accounts in turn', (note) =>
    compare('1 account', bodies, `${ACCOUNTS.toLocaleString('en')} accounts`, many, samples, note),
  );
  const empty = await sample('no list entries', bodies);
  await progress.step('list entries', importList);
  const full = await sample(`${LIST_ENTRIES.toLocaleString('en')} list entries`, bodies);
  const few = await sample('small log', bodies);
  await progress.step('filling the log', (note) => fillLogs(stack.database_url, LOGS, note));
  // V8 forgets code that was idle for minutes; what is compared is the log, not how awake the gateway is.
  await runWrk(load(bodies, WARM_UP_SECONDS));
  const lots = await sample(`${LOGS.toLocaleString('en')} stored logs`, bodies);

  const rows = [...medianOf(samples, ['variant']), empty, full, few, lots];
  const ratios = {
    accounts: total(rows[1]) / total(rows[0]),
    lists: total(full) / total(empty),
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

/** Both in turn, round by round: the machine's noise falls on both alike. */
async function compare(name, file, otherName, otherFile, samples, note) {
  for (let round = 1; round <= ROUNDS_OF_ACCOUNTS; round++) {
    note(`round ${round} of ${ROUNDS_OF_ACCOUNTS}`);
    for (const [variant, bodies] of [
      [name, file],
      [otherName, otherFile],
    ]) {
      await runWrk(load(bodies, LEAD_SECONDS));
      samples.push({ variant, round, ...(await measure({ ...load(bodies, SECONDS), pids })) });
    }
  }
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

async function importList() {
  const { access } = await post('auth/jwt/create/', { email: stack.email, password: stack.password });
  const entries = Array.from({ length: LIST_ENTRIES }, (_, i) => ({ value: `listed-${i}.example.org` }));
  await post('lists/block/import/', { entries }, { authorization: `Bearer ${access}` });
}

async function post(path, body, headers = {}) {
  const answer = await fetch(`${stack.base_url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

function total(row) {
  return Object.values(row.cpuMicros).reduce((sum, micros) => sum + micros, 0);
}
