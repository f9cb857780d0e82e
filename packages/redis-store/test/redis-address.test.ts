import t from 'tap';
import { readRedisAddress } from '../src/redis-address.js';

t.test('one server is left to the client', async (t) => {
  t.strictSame(readRedisAddress({ url: 'rediss://worker:p%40ss@redis.example:6380/1', cluster: '' }), {
    kind: 'server',
    url: 'rediss://worker:p%40ss@redis.example:6380/1',
  });
});

t.test('Sentinels, their master and its credentials', async (t) => {
  t.strictSame(readRedisAddress({ url: 'rediss+sentinel://worker:p%40ss@a:1,b,[fd00::1]:2/main' }), {
    kind: 'sentinel',
    name: 'main',
    sentinels: [
      { host: 'a', port: 1 },
      { host: 'b', port: 26_379 },
      { host: 'fd00::1', port: 2 },
    ],
    username: 'worker',
    password: 'p@ss',
    tls: true,
  });
});

t.test('nodes of a cluster, with and without a scheme', async (t) => {
  const open = { kind: 'cluster', username: undefined, tls: false };
  t.strictSame(readRedisAddress({ url: 'redis://ignored', cluster: 'a:7000, b:7001' }), {
    ...open,
    nodes: [
      { host: 'a', port: 7000 },
      { host: 'b', port: 7001 },
    ],
    password: undefined,
  });
  t.strictSame(readRedisAddress({ cluster: 'redis://secret@a' }), {
    ...open,
    nodes: [{ host: 'a', port: 6_379 }],
    password: 'secret',
  });
});

t.test('what is wrong is said without the password', async (t) => {
  for (const [settings, sentence] of [
    [{}, 'REDIS_URL is missing, and so is REDIS_CLUSTER'],
    [{ url: 'http://:hidden@a' }, 'REDIS_URL does not begin with redis:// or rediss://'],
    [
      { url: 'redis+sentinel://:hidden@a:1' },
      'REDIS_URL names Sentinels, but not the master to ask them for',
    ],
    [{ cluster: 'redis://:hidden@a:1,,b' }, 'REDIS_CLUSTER is not a list of host:port'],
  ] as const) {
    t.throws(() => readRedisAddress(settings), { message: sentence });
  }
});
