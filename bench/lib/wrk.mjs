import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { inRoot } from '../../scripts/lib/paths.mjs';

const script = inRoot('bench/lib/wrk.lua');

/** wrk leaves the two cores to what is measured; Debian has it, no npm package does. */
export function ensureWrk() {
  if (spawnSync('wrk', ['-v']).error === undefined) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    spawnSync('apt-get', ['update', '-qq']);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'wrk']);
  }
  if (spawnSync('wrk', ['-v']).error)
    throw new Error('wrk is needed: apt-get install wrk, or brew install wrk');
}

/** Names that end in up to four digits share one shape, so people are numbered from six digits on. */
const FIRST_PERSON = 100_000;
/** More than the fastest floor answers in a run. */
const PEOPLE_PER_RUN = 500_000;
let runs = 0;

/**
 * One run of load on loopback, bounded in time. Every run brings people and IPs that were never seen before.
 * @param {{ url: string, keys: string, traffic?: 'people' | 'attack' | 'batch', connections: number, seconds: number }} load
 * @returns {Promise<{ requests: number, perSecond: number, p50Ms: number, p90Ms: number, p99Ms: number, failures: number }>}
 */
export async function runWrk({ url, keys, traffic = 'people', connections, seconds }) {
  if (!['127.0.0.1', 'localhost'].includes(new URL(url).hostname))
    throw new Error('load goes to loopback only');
  const bounds = ['-t', '1', '-c', `${connections}`, '-d', `${seconds}s`, '--timeout', '5s'];
  const first = FIRST_PERSON + runs++ * PEOPLE_PER_RUN;
  const args = [...bounds, '-s', script, url, '--', keys, traffic, `${first}`];
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const line = text.split('\n').find((candidate) => candidate.startsWith('{"requests"'));
  if (code !== 0 || !line) throw new Error(`wrk failed: ${text}`);
  const { requests, micros, p50, p90, p99, non2xx, socket_errors } = JSON.parse(line);
  return {
    requests,
    perSecond: (requests * 1e6) / micros,
    p50Ms: p50 / 1000,
    p90Ms: p90 / 1000,
    p99Ms: p99 / 1000,
    failures: non2xx + socket_errors,
  };
}
