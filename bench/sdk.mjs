import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { Verdict } from '@verdict/sdk';
import { inRoot } from '../scripts/lib/paths.mjs';
import { createProgress } from '../scripts/lib/progress.mjs';
import { startServer } from './lib/start-server.mjs';

/**
 * `npm run bench:sdk` measures the CPU of the client for a check against the same request by plain `fetch`, in one
 * process and against a route that does nothing. They alternate in turns of a few checks, and the median of the
 * differences within a turn counts, because a busy machine slows both.
 */
const TURNS = Number(process.env.BENCH_TURNS ?? 200);
const CHECKS = Number(process.env.BENCH_CHECKS ?? 64);
const AT_ONCE = [1, 16];
const API_KEY = 'vrd_live_00000000000000000000000000000000000000';

const progress = createProgress();
const server = await startServer('bare');
const baseUrl = server.checkUrl.replace(/check\/$/, '');
const verdict = new Verdict({ apiKey: API_KEY, baseUrl, timeoutMs: 30_000, deadlineMs: 60_000 });

const post = async (email, init) => {
  const response = await fetch(server.checkUrl, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'x-api-key': API_KEY,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ email }),
    redirect: 'error',
    ...init,
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
};
const variants = {
  fetch: (email) => post(email),
  /** The code of a caller that sets a time limit. */
  timed: (email) => post(email, { signal: AbortSignal.timeout(30_000) }),
  sdk: (email) => verdict.check(email),
};
const NAMES = Object.keys(variants);

try {
  await progress.step('warming up', async () => {
    for (let turn = 0; turn < 20; turn++)
      for (const check of Object.values(variants)) await run(check, 16, CHECKS);
  });
  const table = [];
  for (const atOnce of AT_ONCE) {
    const turns = [];
    await progress.step(`${TURNS} turns, ${atOnce} at once`, async () => {
      for (let turn = 0; turn < TURNS; turn++) {
        // The order alternates, so that no variant always meets another's garbage.
        const first = turn % NAMES.length;
        const took = {};
        for (const name of [...NAMES.slice(first), ...NAMES.slice(0, first)])
          took[name] = await run(variants[name], atOnce, CHECKS);
        turns.push(took);
      }
    });
    const row = (name) => ({
      cpuUs: median(turns.map((took) => took[name].cpuUs)),
      p50Ms: median(turns.map((took) => took[name].p50Ms)),
    });
    const over = (name) => ({
      cpuUs: median(turns.map((took) => took.sdk.cpuUs - took[name].cpuUs)),
      ratio: median(turns.map((took) => took.sdk.cpuUs / took[name].cpuUs)),
    });
    const [raw, timed, sdk] = NAMES.map(row);
    table.push({ atOnce, fetch: raw, timed, sdk, overFetch: over('fetch'), overTimed: over('timed') });
  }
  const machine = `${cpus().length} cores ${cpus()[0]?.model ?? process.arch}, Node ${process.version}`;
  console.log(`\n${machine}; medians of ${TURNS} turns of ${CHECKS} checks\n`);
  console.log(
    'CPU us a check   fetch   with a time limit     sdk   over fetch   over the other   p50 ms: fetch     sdk',
  );
  for (const { atOnce, fetch: raw, timed, sdk, overFetch, overTimed } of table) {
    const columns = [
      [`${atOnce} at once`, 14],
      [raw.cpuUs.toFixed(0), 8],
      [timed.cpuUs.toFixed(0), 20],
      [sdk.cpuUs.toFixed(0), 8],
      [difference(overFetch), 13],
      [difference(overTimed), 17],
      [raw.p50Ms.toFixed(2), 16],
      [sdk.p50Ms.toFixed(2), 8],
    ];
    console.log(columns.map(([value, width]) => String(value).padStart(width)).join(''));
  }
  const file = inRoot('bench/results/sdk.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ machine, turns: TURNS, checks: CHECKS, table }, null, 2)}\n`);
} finally {
  await server.stop();
}

function difference({ cpuUs, ratio }) {
  return `${cpuUs < 0 ? '' : '+'}${cpuUs.toFixed(0)} x${ratio.toFixed(2)}`;
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
