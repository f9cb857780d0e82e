import { startRedis } from '@verdict/local-stack/start-redis.js';
import t from 'tap';
import { durabilityWarnings } from '../src/check-durability.js';
import { connectForRequests } from '../src/connect.js';

t.test('a file that is not synced while it is rewritten is told of', async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
  t.teardown(() => redis.disconnect());
  t.strictSame(await durabilityWarnings(redis), []);
  await redis.config('SET', 'no-appendfsync-on-rewrite', 'yes');
  t.match(await durabilityWarnings(redis), [/no-appendfsync-on-rewrite yes instead of no/]);
});
