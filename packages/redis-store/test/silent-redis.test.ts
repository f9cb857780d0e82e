import { eventually } from '@verdict/local-stack/eventually.js';
import { startProxy } from '@verdict/local-stack/start-proxy.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { startRedisSentinel } from '@verdict/local-stack/start-redis-sentinel.js';
import { Redis } from 'ioredis';
import t from 'tap';
import { connectForQueues, connectForRequests } from '../src/connect.js';

const server = await startRedis();
t.teardown(() => server.stop());
const beside = new Redis(server.url);
t.teardown(() => beside.disconnect());

/** The time a command may take; a starved machine answers later than production would wait. */
const TIMEOUT_MS = 5_000;
const KINDS = { requests: connectForRequests, queues: connectForQueues };

// In parallel: each only waits until a silent Redis times out, several times.
t.jobs = 3;

for (const [kind, connectFor] of Object.entries(KINDS)) {
  t.test(`a Redis that falls silent without closing is left, for ${kind}`, async (t) => {
    const proxy = await startProxy({ host: '127.0.0.1', port: server.port });
    t.teardown(() => proxy.close());
    const redis = connectFor({ url: `redis://127.0.0.1:${proxy.port}`, timeoutMs: TIMEOUT_MS }, 'test');
    t.teardown(() => redis.disconnect());
    const counter = `silent:${kind}`;
    await beside.set(counter, '1');
    await eventually(async () => (await redis.get(counter)) === '1', { withinMs: 120_000 });
    let closed = 0;
    redis.on('close', () => {
      closed += 1;
    });

    proxy.hush();
    const [first] = await Promise.allSettled([redis.incr(counter)]);
    t.equal(first.status, 'rejected', 'the command that was in flight is given up');
    // Long enough that it was tried on a new connection too, and that one is as silent.
    await eventually(() => closed >= 2, { withinMs: 120_000 });
    const [second] = await Promise.allSettled([redis.incr(counter)]);
    t.equal(second.status, 'rejected');

    proxy.restore();
    t.equal(await eventually(() => redis.get(counter), { withinMs: 120_000 }), '1', 'it is used again');
    t.equal(await beside.get(counter), '1', 'and nothing that was given up was sent afterwards');
  });
}

t.test('a master that is frozen, not killed, is left for the one that the Sentinels name', async (t) => {
  const sentinel = await startRedisSentinel();
  t.teardown(() => sentinel.stop());
  const connections = Object.values(KINDS).map((connectFor) =>
    connectFor({ url: sentinel.url, timeoutMs: TIMEOUT_MS }, 'test'),
  );
  for (const redis of connections) {
    t.teardown(() => redis.disconnect());
    await eventually(async () => (await redis.set('before', 'yes')) === 'OK', { withinMs: 120_000 });
  }
  sentinel.master.signal('SIGSTOP');
  t.teardown(() => sentinel.master.signal('SIGCONT'));
  await sentinel.failedOver();
  for (const redis of connections) {
    await eventually(async () => (await redis.set('after', 'yes')) === 'OK', { withinMs: 120_000 });
    t.equal(await eventually(() => redis.get('before'), { withinMs: 120_000 }), 'yes');
  }
});
