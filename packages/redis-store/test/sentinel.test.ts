import { eventually } from '@verdict/local-stack/eventually.js';
import { startRedisSentinel } from '@verdict/local-stack/start-redis-sentinel.js';
import t from 'tap';
import { connectForRequests, openRedis } from '../src/connect.js';

t.test(
  'a failover that is announced while a connection asks for the master does not end the connection',
  async (t) => {
    const sentinel = await startRedisSentinel();
    t.teardown(() => sentinel.stop());
    const [hosts = '', path] = sentinel.url.replace('redis+sentinel://', '').split('/');
    const [first = '', second = '', third = ''] = hosts.split(',');
    // Each order meets the frozen Sentinel at another moment, so that one of them waits for it at any time.
    const orders = [
      [first, second, third],
      [second, third, first],
      [third, first, second],
    ];
    const clients = orders.flatMap((order) =>
      Array.from({ length: 3 }, () =>
        connectForRequests({ url: `redis+sentinel://${order.join(',')}/${path}` }, 'sentinel-test'),
      ),
    );
    t.teardown(() => {
      for (const client of clients) client.disconnect();
    });
    await Promise.all(clients.map(openRedis));

    sentinel.sentinels[0]?.signal('SIGSTOP');
    t.teardown(() => sentinel.sentinels[0]?.signal('SIGCONT'));
    await sentinel.link.close(); // refused from now on
    for (const client of clients) {
      t.equal(await eventually(() => client.ping(), { withinMs: 120_000 }), 'PONG');
    }
  },
);
