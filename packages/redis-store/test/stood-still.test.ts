import { setImmediate } from 'node:timers/promises';
import { standStill } from '@verdict/local-stack/stand-still.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import t from 'tap';
import { connectForRequests, openRedis } from '../src/connect.js';

t.test('a command is not given up because this process stood still, with Redis', async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const redis = connectForRequests({ url: server.url, timeoutMs: 1_000 }, 'test');
  t.teardown(() => redis.disconnect());
  await openRedis(redis);
  server.signal('SIGSTOP');
  const answer = redis.set('kept', 'yes');
  // From here the timers come next, and sockets are read after them.
  await setImmediate();
  standStill(3_000);
  server.signal('SIGCONT');
  t.equal(await answer, 'OK');
});
