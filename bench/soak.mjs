import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { countWaiting } from '@verdict/queues/backlog.js';
import { connectForQueues, openRedis } from '@verdict/redis-store/connect.js';
import autocannon from 'autocannon';
import { makeAccounts } from './lib/bench-accounts.mjs';
import { COMPANY_DOMAINS, writeBodies } from './lib/bodies.mjs';
import { residentMegabytes } from './lib/process-usage.mjs';
import { startBenchStack } from './lib/stack.mjs';
import { writeResults } from './lib/write-results.mjs';
import { ensureWrk, runWrk } from './lib/wrk.mjs';

/** `npm run bench:soak -- --minutes 30`: steady load at 70 % of the peak; nothing may grow and nothing be refused. */
const minutes = Number(process.argv[process.argv.indexOf('--minutes') + 1] ?? 30) || 30;
const SAMPLE_MS = 5_000;
const SAMPLES_PER_MINUTE = 60_000 / SAMPLE_MS;
const SHARE = 0.7;
const CANARY = 'canary.bench-corp.com';

ensureWrk();
const mx = { mx: [[10, 'mail.bench-corp.com']] };
const dns = await startDnsServer(
  Object.fromEntries([CANARY, ...COMPANY_DOMAINS].map((domain) => [domain, mx])),
);
const stack = await startBenchStack({
  name: 'bench-soak',
  env: { DNS_SERVERS: dns.address, DNS_CANARY: CANARY },
});
const redis = connectForQueues({ url: stack.redis_url }, 'soak');
await openRedis(redis);
const { gateway, scoring, worker, 'control-plane': controlPlane } = stack.processes;
const pids = { gateway, scoring, worker, 'control-plane': controlPlane, redis: stack.processes.redis };

try {
  const bodies = writeBodies(stack.dataDir);
  const source = { databaseUrl: stack.database_url, directory: stack.dataDir };
  const load = { url: stack.checkUrl, keys: await makeAccounts(source, 8), connections: 64, seconds: 10 };
  await runWrk(load);
  const peak = await runWrk(load);
  const rate = Math.round(peak.perSecond * SHARE);
  console.log(`peak ${peak.perSecond.toFixed(0)}/s; ${minutes} minutes at ${rate}/s`);

  let ended = false;
  const headers = { 'content-type': 'application/json', 'x-api-key': stack.api_key };
  const lines = readFileSync(bodies, 'utf8').trim().split('\n');
  let sent = 0;
  const nextLine = () => lines[sent++ % lines.length];
  // Only a thenable, which has no finally.
  const run = Promise.resolve(
    autocannon({
      url: stack.checkUrl,
      connections: 32,
      duration: minutes * 60,
      overallRate: rate,
      // One request for all connections: prepared ones are kept once for each, which was 2 GB of buffers.
      requests: [{ method: 'POST', headers, setupRequest: (request) => ({ ...request, body: nextLine() }) }],
    }),
  ).finally(() => {
    ended = true;
  });
  const samples = [];
  while (!ended) {
    await Promise.race([delay(SAMPLE_MS), run]);
    const resident = Object.fromEntries(
      Object.entries(residentMegabytes(pids)).map(([name, { now }]) => [name, now]),
    );
    samples.push({
      atSeconds: Math.round((samples.length + 1) * (SAMPLE_MS / 1000)),
      waiting: await countWaiting(redis, 0),
      resident,
    });
    if (samples.length % SAMPLES_PER_MINUTE === 0) console.log(samples.at(-1));
  }
  const outcome = await run;
  const growth = Object.fromEntries(
    Object.keys(pids).map((name) => [name, quarter(samples, name, 3) / quarter(samples, name, 1)]),
  );
  const result = {
    minutes,
    rate,
    answered: outcome['2xx'],
    refused: outcome.non2xx + outcome.errors + outcome.timeouts,
    waitingMax: Math.max(...samples.map(({ waiting }) => waiting)),
    growth,
  };
  console.log(result);
  writeResults('soak', { ...result, samples });
} finally {
  redis.disconnect();
  await stack.stop();
  await dns.close();
}

/** Median resident size of a process in one quarter of the run, counted from 0. */
function quarter(samples, name, index) {
  const size = Math.floor(samples.length / 4) || 1;
  const values = samples.slice(index * size, (index + 1) * size).map(({ resident }) => resident[name]);
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
