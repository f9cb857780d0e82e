import { answersPing, launchRedis } from './launch-redis.js';
import { inData, logOf } from './paths.js';
import type { Part } from './supervisor.js';

/** The Redis of `npm start`, with its own data and password. */
export function createRedisPart(binary: string, port: number, password: string): Part & { url: string } {
  const [directory, log] = [inData('redis'), logOf('redis')];
  const settings = { port: String(port), requirepass: password };
  const url = `redis://:${password}@127.0.0.1:${port}`;
  return {
    name: 'redis',
    url,
    log,
    launch: () => launchRedis(binary, directory, settings, {}, { log, cwd: directory }),
    isReady: () => answersPing(url),
  };
}
