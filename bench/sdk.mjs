import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { Verdict } from '@verdict/sdk';
import { inRoot } from '../scripts/lib/paths.mjs';
import { createProgress } from '../scripts/lib/progress.mjs';
import { startServer } from './lib/start-server.mjs';

/**
 * `npm run bench:sdk`: what the client itself costs for a check, against the same request by plain `fetch`, in turn and in
 * one process. The other side is a route that does nothing, in a process of its own: neither the service nor the network
 * is what is measured.
 */
const CHECKS = Number(process.env.BENCH_CHECKS ?? 4_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const AT_ONCE = [1, 16];
const API_KEY = 'vrd_live_00000000000000000000000000000000000000';

const progress = createProgress();
const server = await startServer('bare');
const baseUrl = server.checkUrl.replace(/check\/$/, '');
const verdict = new Verdict({ apiKey: API_KEY, baseUrl, timeoutMs: 30_000, deadlineMs: 60_000 });

const variants = {
  /** The least that a careful caller writes: a time limit, and an error for what is none of ours. */
  async fetch(email) {
    const response = await fetch(server.checkUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
      body: JSON.stringify({ email }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.json();
  },
  sdk: (email) => verdict.check(email),
};

try {
  await progress.step('warming up', async () => {
    for (const check of Object.values(variants)) await run(check, 16, CHECKS);
  });
  const samples = [];
  for (let round = 1; round <= ROUNDS; round++) {
    await progress.step(`round ${round}`, async () => {
      for (const atOnce of AT_ONCE) {
        // Who goes first changes, so that neither always finds the other's garbage.
        const names = round % 2 ? ['fetch', 'sdk'] : ['sdk', 'fetch'];
        for (const variant of names)
          samples.push({ variant, atOnce, ...(await run(variants[variant], atOnce, CHECKS)) });
      }
    });
  }
  const table = AT_ONCE.map((atOnce) => {
    const of = (variant, field) =>
      median(
        samples.filter((one) => one.variant === variant && one.atOnce === atOnce).map((one) => one[field]),
      );
    const row = (variant) => ({ cpuUs: of(variant, 'cpuUs'), p50Ms: of(variant, 'p50Ms') });
    const [raw, sdk] = [row('fetch'), row('sdk')];
    return { atOnce, fetch: raw, sdk, overheadUs: sdk.cpuUs - raw.cpuUs, ratio: sdk.cpuUs / raw.cpuUs };
  });
  const machine = `${cpus().length} cores ${cpus()[0]?.model ?? process.arch}, Node ${process.version}`;
  console.log(`\n${machine}; median of ${ROUNDS} rounds of ${CHECKS} checks\n`);
  console.log('at once   fetch CPU us   sdk CPU us   overhead us   ratio   fetch p50 ms   sdk p50 ms');
  for (const { atOnce, fetch: raw, sdk, overheadUs, ratio } of table) {
    const columns = [
      [atOnce, 7],
      [raw.cpuUs.toFixed(0), 15],
      [sdk.cpuUs.toFixed(0), 13],
      [overheadUs.toFixed(0), 14],
      [ratio.toFixed(2), 8],
      [raw.p50Ms.toFixed(2), 15],
      [sdk.p50Ms.toFixed(2), 13],
    ];
    console.log(columns.map(([value, width]) => String(value).padStart(width)).join(''));
  }
  const file = inRoot('bench/results/sdk.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ machine, rounds: ROUNDS, checks: CHECKS, table }, null, 2)}\n`);
} finally {
  await server.stop();
}

/** CPU of this process per check, garbage and sockets included, and how long one took. */
async function run(check, atOnce, count) {
  const tookMs = [];
  let next = 0;
  const began = process.cpuUsage();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        const email = `jane-${next++}@gmail.com`;
        const at = performance.now();
        const { decision } = await check(email);
        tookMs.push(performance.now() - at);
        if (decision !== 'allow') throw new Error(`decision ${decision}`);
      }
    }),
  );
  const { user, system } = process.cpuUsage(began);
  return { cpuUs: (user + system) / count, p50Ms: median(tookMs) };
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
