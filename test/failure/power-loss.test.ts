import { randomBytes } from 'node:crypto';
import type { CheckLog } from '@verdict/contracts/check-log-job.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { createCheckLogProducer } from '@verdict/queues/check-log-producer.js';
import { CHECK_LOG_QUEUE, shardPrefix } from '@verdict/queues/queue-names.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import t from 'tap';
import { CHAOS } from './config.js';
import { buildPreload } from './support/build-preload.js';
import { printFigures } from './support/print-figures.js';

const library = buildPreload('power-loss');
const options = library ? {} : { skip: 'no C compiler here: a power cut cannot be simulated' };
const ACKNOWLEDGED = 2_000;
const WRITERS = 8;

t.test('after a power cut, everything that appendfsync always acknowledged is there', options, async (t) => {
  for (let cut = 0; cut < CHAOS.powerLosses; cut++) {
    const { acknowledged, lost } = await cutPower('always');
    t.ok(acknowledged >= ACKNOWLEDGED);
    t.strictSame(lost, [], `0 of ${acknowledged} acknowledged logs were lost`);
  }
});

t.test(
  'everysec loses what it acknowledged in the last second: why every service warns about it',
  options,
  async (t) => {
    // A cut right after a sync loses nothing by luck; several in a row do not.
    let worst = { acknowledged: 0, lost: [] as string[] };
    for (let cut = 0; cut < 5 && worst.lost.length === 0; cut++) worst = await cutPower('everysec');
    t.ok(worst.lost.length > 0, `${worst.lost.length} of ${worst.acknowledged} acknowledged logs were lost`);
  },
);

/** Queues logs until enough are acknowledged, cuts the power, and looks at what comes back. */
async function cutPower(
  appendfsync: 'always' | 'everysec',
): Promise<{ acknowledged: number; lost: string[] }> {
  const server = await startRedis({ appendfsync, environment: { LD_PRELOAD: library ?? '' } });
  const redis = connectForRequests({ url: server.url }, 'test');
  redis.on('error', () => {}); // the power goes
  const producer = createCheckLogProducer({ connection: redis, shards: 1, onError: () => {} });
  const acknowledged: string[] = [];
  let isOver = false;
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!isOver) {
      const id = randomBytes(8).toString('hex');
      await producer.add([{ id } as CheckLog]).then(
        () => acknowledged.push(id),
        () => {},
      );
    }
  });
  await eventually(() => acknowledged.length >= ACKNOWLEDGED, { withinMs: 60_000, everyMs: 1 });
  const killed = server.kill();
  // What is acknowledged after this line was acknowledged before the power went: the reply was on its way.
  await killed;
  isOver = true;
  await Promise.all(writers);
  await server.restart();

  const base = `${shardPrefix(0)}:${CHECK_LOG_QUEUE}:`;
  const survived = new Set<string>();
  for (const jobId of await redis.lrange(`${base}wait`, 0, -1)) {
    const { checks } = JSON.parse((await redis.hget(base + jobId, 'data')) ?? '{"checks":[]}') as {
      checks: { id: string }[];
    };
    for (const { id } of checks) survived.add(id);
  }
  await producer.close();
  redis.disconnect();
  await server.stop();
  const lost = acknowledged.filter((id) => !survived.has(id));
  printFigures(`power cut, appendfsync ${appendfsync}`, {
    acknowledged: acknowledged.length,
    lost: lost.length,
  });
  return { acknowledged: acknowledged.length, lost };
}
