import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@verdict/local-stack/eventually.js';
import { TASKS_KEY } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { setUp } from './support/set-up.js';

/** Commands that a worker with nothing to do may send to Redis, in a second. */
const COMMANDS_MAX = 20;
const SECONDS = 10;

const setting = await setUp({
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64url'),
  SCORING_URLS: 'http://127.0.0.1:1',
  CONTROL_PLANE_INTERNAL_URL: 'http://127.0.0.1:1',
  INTERNAL_TOKEN: 'internal-token-of-the-test',
});
t.teardown(() => setting.close());

/** All commands since the last reset, those of scripts included. */
async function commands(): Promise<Map<string, number>> {
  const text = await setting.redis.info('commandstats');
  return new Map(
    [...text.matchAll(/^cmdstat_([\w|-]+):calls=(\d+)/gm)].map(([, name = '', calls]) => [
      name,
      Number(calls),
    ]),
  );
}

/** Whether every task had its first turn. */
async function isSettled(): Promise<boolean> {
  const turns = await setting.redis.hgetall(TASKS_KEY);
  const taken = Object.keys(turns).filter((field) => field.endsWith(':turn'));
  return taken.length > 0 && taken.every((field) => turns[field.replace(/turn$/, 'done')] === turns[field]);
}

t.test('a worker with nothing to do leaves Redis alone', async (t) => {
  await setting.startWorker();
  await eventually(isSettled);
  await setting.redis.config('RESETSTAT');
  const before = process.cpuUsage();
  await pause(SECONDS * 1_000);
  const { user, system } = process.cpuUsage(before);
  t.comment(`${((user + system) / SECONDS / 10_000).toFixed(2)} % of a core`);
  const calls = await commands();
  const sum = [...calls.values()].reduce((total, count) => total + count, 0);
  const told = [...calls].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
  t.ok(sum <= COMMANDS_MAX * SECONDS, `${sum} commands in ${SECONDS} s: ${told.join(', ')}`);
});
