import { createHash } from 'node:crypto';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import { insertThenStep } from '@verdict/redis-store/step.js';
import t from 'tap';
import { createCheckLogInserts } from '../src/check-log-inserts.js';

/**
 * Of BullMQ's script as it was read: it inserts with nine keys and three arguments, and writes nothing outside its queue.
 * A release of BullMQ with another one has to be read again before this changes.
 */
const READ = '5ab432e88830d573e2fa33392ffbd4ad25a9b100';

t.test("the step runs BullMQ's own insert, in a text that was read", async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
  await redis.connect();
  t.teardown(() => redis.disconnect());
  const inserts = await createCheckLogInserts({ connection: redis, shards: 1, onError: () => {} });
  t.teardown(() => inserts.close());
  t.equal(createHash('sha1').update(inserts.script).digest('hex'), READ);
  const data = { v: 4 as const, verdicts: [], groups: [] };
  const insert = inserts.prepare({ shard: 0, batchId: 'bat_1', data, queuedAtMs: 1, traces: undefined });
  t.equal(insert.keys.length, 9);
  t.equal(insert.args.length, 3);
  const { source, sha } = insertThenStep(inserts.script);
  t.equal(await redis.script('LOAD', source), sha, 'and both compile as one');
});
