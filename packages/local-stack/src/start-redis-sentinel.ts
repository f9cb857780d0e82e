import { eventually } from './eventually.js';
import { startProxy } from './start-proxy.js';
import { startRedis } from './start-redis.js';

const NAME = 'verdict';
const SENTINELS = 3;
const QUORUM = 2;
/** Short, so that a test waits little, but longer than a busy machine delays a healthy master. */
const DOWN_AFTER_MS = 4_000;

export type TestRedisSentinel = Awaited<ReturnType<typeof startRedisSentinel>>;

/** Starts a master with one replica, and three Sentinels that watch them. */
export async function startRedisSentinel() {
  const master = await startRedis();
  const link = await startProxy({ host: '127.0.0.1', port: master.port });
  const replica = await startRedis({ settings: { 'replicaof 127.0.0.1': String(link.port) } });
  await eventually(async () => (await replica.client.info('replication')).includes('master_link_status:up'));
  const settings = {
    [`sentinel monitor ${NAME} 127.0.0.1 ${link.port}`]: String(QUORUM),
    [`sentinel down-after-milliseconds ${NAME}`]: String(DOWN_AFTER_MS),
    [`sentinel failover-timeout ${NAME}`]: '5000',
  };
  const sentinels = await Promise.all(Array.from({ length: SENTINELS }, () => startRedis({ settings })));
  const ask = (command: string) =>
    Promise.all(sentinels.map(({ client }) => client.call('SENTINEL', command, NAME)));
  // They cannot agree on a successor before they know the replica and each other.
  await eventually(async () => {
    const [quorums, replicas] = [await ask('CKQUORUM'), await ask('REPLICAS')];
    return (
      quorums.every((text) => String(text).startsWith(`OK ${SENTINELS} usable`)) &&
      replicas.every((known) => (known as unknown[]).length === 1)
    );
  });
  return {
    /** As REDIS_URL wants it. */
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${NAME}`,
    master,
    sentinels,
    /** Between the first master and everybody else, the Sentinels and its replica included. */
    link,
    /** Waits until the Sentinels name the replica as the master. */
    async failedOver() {
      const master = async () => ((await ask('GET-MASTER-ADDR-BY-NAME'))[0] as string[])[1];
      await eventually(async () => Number(await master()) === replica.port, { withinMs: 120_000 });
    },
    async stop() {
      await link.close();
      await Promise.all([master, replica, ...sentinels].map((node) => node.stop()));
    },
  };
}
