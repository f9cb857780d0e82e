import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type ProcessOptions, type RunningProcess, startProcess } from './start-process.js';

/** By their names in redis.conf. */
export type RedisSettings = Readonly<Record<string, string>>;

/**
 * Syncs every write before it is acknowledged and evicts nothing. The gateway answers once a check's log is in the queue,
 * so the queue must survive a crash.
 */
const DURABLE: RedisSettings = {
  save: '',
  appendonly: 'yes',
  appendfsync: 'always',
  'maxmemory-policy': 'noeviction',
  // Replicas of a test connect one after the other; waiting for more of them only costs time.
  'repl-diskless-sync-delay': '0',
};

/** Starts redis-server with the settings of production and these. A file holds them, because everyone can read arguments. */
export function launchRedis(
  binary: string,
  directory: string,
  settings: RedisSettings,
  environment: NodeJS.ProcessEnv = {},
  options: ProcessOptions = {},
): RunningProcess {
  const isSentinel = Object.keys(settings).some((name) => name.startsWith('sentinel '));
  const all = { bind: '127.0.0.1', dir: directory, ...(isSentinel ? {} : DURABLE), ...settings };
  const file = join(directory, 'redis.conf');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lines = Object.entries(all).map(([name, value]) => `${name} ${JSON.stringify(value)}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  // Redis refuses to start when the locale of the caller is not installed.
  const env = { ...process.env, LC_ALL: 'C', ...environment };
  return startProcess(binary, [file, ...(isSentinel ? ['--sentinel'] : [])], env, options);
}

/** Tells whether it has loaded its data; until then it answers LOADING. */
export async function answersPing(url: string, tls?: { readonly ca: Buffer }): Promise<boolean> {
  const once = { retryStrategy: null, maxRetriesPerRequest: 0, enableReadyCheck: false };
  const client = new Redis(url, tls ? { ...once, tls } : once);
  client.on('error', () => {}); // the ping fails too
  const answer = await client.ping().catch(() => null);
  client.disconnect();
  return answer === 'PONG';
}
