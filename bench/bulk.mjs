import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import autocannon from 'autocannon';
import { COMPANY_DOMAINS } from './lib/bodies.mjs';
import { cpuSeconds, residentMegabytes } from './lib/process-usage.mjs';
import { startBenchStack } from './lib/stack.mjs';
import { writeResults } from './lib/write-results.mjs';

/**
 * `npm run bench:bulk -- --rows 1000000 --small 10000` runs a job of each size to its end. The cost of a row and the
 * memory must not depend on the number of rows; with `--rate 5000` it also compares the p99 of other checks with and
 * without a job.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    small: { type: 'string', default: '10000' },
    rate: { type: 'string' },
  },
});
const rate = values.rate === undefined ? null : Number(values.rate);
const BESIDE_SECONDS = 10;
const SIZES = [Number(values.small), Number(values.rows)];
const CANARY = 'canary.bench-corp.com';
const SAMPLE_MS = 1_000;
const GOAL = 1.1;

const mx = { mx: [[10, 'mail.bench-corp.com']] };
const dns = await startDnsServer(
  Object.fromEntries([CANARY, ...COMPANY_DOMAINS].map((domain) => [domain, mx])),
);
const plansFile = path.join(mkdtempSync(path.join(tmpdir(), 'verdict-bench-')), 'plans.json');
const plan = {
  checks_per_month: 9_000_000_000,
  checks_per_second: rate ?? 1_000_000,
  bulk_rows_max: 1_000_000,
  retention_days: 30,
};
writeFileSync(plansFile, JSON.stringify({ free: plan }));
const stack = await startBenchStack({
  name: 'bench-bulk',
  env: {
    DNS_SERVERS: dns.address,
    DNS_CANARY: CANARY,
    REQUESTS_PER_MINUTE: '1000000',
    PLANS_FILE: plansFile,
  },
});
const pids = Object.fromEntries(
  ['control-plane', 'worker', 'scoring', 'gateway', 'redis', 'postgres'].map((name) => [
    name,
    stack.processes[name],
  ]),
);
const headers = { 'x-api-key': stack.api_key };

try {
  // Caches, compiled code and connections are what they will be.
  await runJob(SIZES[0]);
  const alone = rate === null ? null : await checksBeside();
  const results = [];
  for (const [i, rows] of SIZES.entries()) {
    const result = await runJob(rows, alone !== null && i === 1);
    results.push(result);
    console.log(JSON.stringify(result, null, 2));
  }
  const [small, large] = results;
  const ratios = {
    ...(alone && {
      p99Beside: large.beside.p99Ms / alone.p99Ms,
      p50Beside: large.beside.p50Ms / alone.p50Ms,
    }),
    cpuPerRow: large.cpuMicrosPerRow.all / small.cpuMicrosPerRow.all,
    secondsPerRow: large.seconds / large.rows / (small.seconds / small.rows),
    memory: Object.fromEntries(
      ['worker', 'control-plane'].map((name) => [
        name,
        large.lateMegabytes[name] / large.earlyMegabytes[name],
      ]),
    ),
  };
  const met = Math.max(ratios.cpuPerRow, ...Object.values(ratios.memory)) <= GOAL;
  console.log(
    `\n${large.rows} rows in ${large.seconds.toFixed(0)} s; per row ${ratios.cpuPerRow.toFixed(2)} of the CPU at ${small.rows}; memory late to early: worker ${ratios.memory.worker.toFixed(2)}, control plane ${ratios.memory['control-plane'].toFixed(2)}; at most ${GOAL}${met ? '' : '  NOT MET'}`,
  );
  writeResults('bulk', { ratios, results });
} finally {
  await stack.stop();
  await dns.close();
}

/** Uploads, waits for the end, downloads the result, and deletes the job. */
async function runJob(rows, withChecks = false) {
  const cpuBefore = cpuSeconds(pids);
  const began = performance.now();
  const sent = await fetch(`${stack.base_url}jobs/?start=auto`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: Readable.toWeb(Readable.from(lines(rows))),
    duplex: 'half',
  });
  const { job, error } = await sent.json();
  if (!job) throw new Error(`${sent.status}: ${error}`);
  const uploadSeconds = (performance.now() - began) / 1_000;

  const sending = withChecks ? checksBeside() : null;
  const samples = [];
  let state = job;
  while (state.status === 'parsing' || state.status === 'running') {
    await delay(SAMPLE_MS);
    state = (await (await fetch(`${stack.base_url}jobs/${job.id}/`, { headers })).json()).job;
    samples.push(
      Object.fromEntries(Object.entries(residentMegabytes(pids)).map(([name, { now }]) => [name, now])),
    );
  }
  const seconds = (performance.now() - began) / 1_000;
  if (state.status !== 'completed') throw new Error(`the job is ${state.status}`);
  const cpuAfter = cpuSeconds(pids);

  const fetched = performance.now();
  let bytes = 0;
  const result = await fetch(`${stack.base_url}jobs/${job.id}/results.csv`, { headers });
  for await (const chunk of result.body) bytes += chunk.length;
  const downloadSeconds = (performance.now() - fetched) / 1_000;
  await fetch(`${stack.base_url}jobs/${job.id}/`, { method: 'DELETE', headers });

  const micros = Object.fromEntries(
    Object.keys(pids).map((name) => [name, ((cpuAfter[name] - cpuBefore[name]) * 1e6) / rows]),
  );
  return {
    rows,
    ...(sending && { beside: await sending }),
    unknown: state.unknown,
    seconds,
    uploadSeconds,
    downloadSeconds,
    downloadBytes: bytes,
    rowsPerSecond: rows / seconds,
    cpuMicrosPerRow: { ...micros, all: Object.values(micros).reduce((sum, each) => sum + each, 0) },
    earlyMegabytes: quarter(samples, 1),
    lateMegabytes: quarter(samples, 3),
  };
}

/** Interactive checks at a tenth of the rate. */
async function checksBeside() {
  const { latency, non2xx, errors } = await autocannon({
    url: stack.checkUrl,
    connections: 16,
    duration: BESIDE_SECONDS,
    overallRate: Math.max(16, Math.round(rate / 10)),
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'jane@gmail.com' }),
  });
  return { p50Ms: latency.p50, p99Ms: latency.p99, refused: non2xx + errors };
}

function* lines(rows) {
  yield 'id,email,name\n';
  let text = '';
  for (let i = 0; i < rows; i++) {
    const domain = i % 2 === 0 ? 'gmail.com' : COMPANY_DOMAINS[i % COMPANY_DOMAINS.length];
    text += `${i},person-${i}@${domain},Person ${i}\n`;
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Median resident size of each process in one quarter of the run, counted from 0. */
function quarter(samples, index) {
  const size = Math.floor(samples.length / 4) || 1;
  const part = samples.slice(index * size, (index + 1) * size);
  const median = (name) =>
    (part.length > 0 ? part : samples).map((sample) => sample[name]).sort((a, b) => a - b)[
      Math.floor((part.length > 0 ? part : samples).length / 2)
    ];
  return Object.fromEntries(Object.keys(pids).map((name) => [name, median(name)]));
}
