import { startRedis } from '@verdict/local-stack/start-redis.js';
import t from 'tap';
import { connectForRequests } from '../src/connect.js';
import { noteKey } from '../src/keys.js';
import { letNotesExpire } from '../src/notes.js';

const server = await startRedis();
const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
await redis.connect();
t.teardown(async () => {
  redis.disconnect();
  await server.stop();
});

t.test('a note gets its expiry once, however often its job comes back', async (t) => {
  const key = noteKey(0, 'bat_1');
  await redis.set(key, '{}');
  await letNotesExpire(redis, 0, ['bat_1']);
  t.ok((await redis.ttl(key)) > 60);
  await redis.expire(key, 10);
  await letNotesExpire(redis, 0, ['bat_1']);
  t.ok((await redis.ttl(key)) <= 10, 'it is not renewed');
});
