import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { freePort } from '@verdict/local-stack/free-port.js';
import { startRedisSentinel } from '@verdict/local-stack/start-redis-sentinel.js';
import type { Redis } from 'ioredis';
import t from 'tap';
import { connectForQueues, connectForRequests } from '../src/connect.js';

/** Lines that ioredis writes past the log. */
const printed: unknown[][] = [];
const { error: print } = console;
console.error = (...words) => void printed.push(words);
t.teardown(() => {
  console.error = print;
});

t.test('a connection that breaks prints nothing, nor does one that BullMQ made of it', async (t) => {
  const url = `redis://127.0.0.1:${await freePort()}`;
  for (const connectFor of [connectForRequests, connectForQueues]) {
    const redis = connectFor({ url }, 'test') as Redis;
    const duplicate = redis.duplicate();
    t.teardown(() => {
      redis.disconnect();
      duplicate.disconnect();
    });
    redis.connect().catch(() => undefined);
    // Not `once` of node:events, because that listens for errors.
    const broken = (one: Redis) => new Promise<void>((done) => one.once('reconnecting', done));
    await Promise.all([broken(redis), broken(duplicate)]);
  }
  t.strictSame(printed, []);
});

t.test('nor does one that watches for a failover, while a Sentinel resets connections', async (t) => {
  const sentinel = await startRedisSentinel();
  const away = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
  await once(away, 'listening');
  t.teardown(async () => {
    away.close();
    await sentinel.stop();
  });
  const [hosts, name] = sentinel.url.replace('redis+sentinel://', '').split('/');
  const url = `redis+sentinel://${hosts},127.0.0.1:${(away.address() as AddressInfo).port}/${name}`;
  const redis = connectForRequests({ url, timeoutMs: 20_000 }, 'test');
  t.teardown(() => redis.disconnect());
  const watched = once(away, 'connection');
  await redis.connect();
  await watched;
  // The reset has arrived when another answer has.
  for (let i = 0; i < 3; i++) await redis.ping();
  t.strictSame(printed, []);
});
