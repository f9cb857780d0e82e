import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inRoot } from '../../scripts/lib/paths.mjs';

const DIRECTORY = inRoot('.data/bench-garbage');
const DEADLINE_MS = 10_000;

/** Lets a Node process say how much it has allocated; other programs ignore it. */
export const GARBAGE_ENV = {
  NODE_OPTIONS: `--import=${inRoot('bench/lib/garbage-preload.mjs')}`,
  BENCH_GARBAGE_DIRECTORY: DIRECTORY,
};

/**
 * Kilobytes that each process has allocated on its heap since it started; processes other than Node are left out.
 * @param {Record<string, number>} pids @returns {Promise<Record<string, number>>}
 */
export async function allocatedKilobytes(pids) {
  const told = Object.entries(pids).map(async ([name, pid]) => [name, await ask(pid)]);
  return Object.fromEntries((await Promise.all(told)).filter(([, kilobytes]) => kilobytes !== null));
}

async function ask(pid) {
  const file = path.join(DIRECTORY, `${pid}.json`);
  const before = read(file);
  if (before === null) return null;
  process.kill(pid, 'SIGURG');
  for (const until = Date.now() + DEADLINE_MS; Date.now() < until; await delay(5)) {
    const after = read(file);
    if (after.asked > before.asked) return after.kilobytes;
  }
  throw new Error(`process ${pid} does not say what it allocated`);
}

/** Null when there is no such file: the process has no heap of V8. */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
