import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inData, logOf } from './paths.js';
import { answersPing, DURABLE, REDIS_ENVIRONMENT } from './redis-settings.js';
import { startProcess } from './start-process.js';
import type { Part } from './supervisor.js';

/** The Redis of `npm start`, with its data and a password of its own. */
export function createRedisPart(binary: string, port: number, password: string): Part & { url: string } {
  const directory = inData('redis');
  const url = `redis://:${password}@127.0.0.1:${port}`;
  const file = join(directory, 'redis.conf');
  const settings = { ...DURABLE, port: String(port), requirepass: password, dir: directory };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // In a file rather than as arguments: everyone on the machine can read the arguments of a process.
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${JSON.stringify(value)}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  const log = logOf('redis');
  return {
    name: 'redis',
    url,
    log,
    launch: () => startProcess(binary, [file], REDIS_ENVIRONMENT, { log, cwd: directory }),
    isReady: () => answersPing(url),
  };
}
