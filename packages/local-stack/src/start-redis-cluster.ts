import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { startRedis, type TestRedis } from './start-redis.js';

const MASTERS = 3;
const SLOTS = 16_384;
/** So long that a busy machine is not taken for a dead one; production uses 5 to 15 seconds. */
const NODE_TIMEOUT_MS = 60_000;

export type TestRedisCluster = Awaited<ReturnType<typeof startRedisCluster>>;

/** Starts three masters, each with so many replicas. `nodeTimeoutMs` is how long a silent node counts as alive. */
export async function startRedisCluster({ nodeTimeoutMs = NODE_TIMEOUT_MS, replicasEach = 1 } = {}) {
  const start = async () => {
    const busPort = await freePort();
    const settings = {
      'cluster-enabled': 'yes',
      'cluster-port': String(busPort),
      'cluster-node-timeout': String(nodeTimeoutMs),
      'cluster-replica-validity-factor': '0',
      // A slot without a master must not stop the accounts of all others.
      'cluster-require-full-coverage': 'no',
    };
    return Object.assign(await startRedis({ settings }), { busPort });
  };
  const first = await start();
  const rest = await Promise.all(Array.from({ length: (1 + replicasEach) * MASTERS - 1 }, start));
  for (const { port, busPort } of rest)
    await first.client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
  const all: TestRedis[] = [first, ...rest];
  const [masters, replicas] = [all.slice(0, MASTERS), all.slice(MASTERS)];
  await form(masters, replicas);

  async function masterOf(key: string): Promise<TestRedis> {
    const slot = Number(await first.client.cluster('KEYSLOT', key));
    const ranges = await first.client.cluster('SLOTS');
    const port = ranges.find(([from, to]) => slot >= from && slot <= to)?.[2]?.[1];
    const node = all.find((one) => one.port === port);
    if (!node) throw new Error(`no master serves ${key}`);
    return node;
  }
  return {
    /** As REDIS_CLUSTER wants them. */
    nodes: all.map(({ port }) => `127.0.0.1:${port}`).join(','),
    /** In the order of their slots; the first replica of each has the same index in `replicas`. */
    masters,
    replicas,
    /** The master that serves a key now. */
    masterOf,
    stop: () => Promise.all(all.map((node) => node.stop())),
  };
}

/** Gives each master its share of the slots and a replica, and waits until every node knows. */
async function form(masters: readonly TestRedis[], replicas: readonly TestRedis[]): Promise<void> {
  const share = Math.ceil(SLOTS / MASTERS);
  for (const [i, { client }] of masters.entries())
    await client.call('CLUSTER', 'ADDSLOTSRANGE', i * share, Math.min((i + 1) * share, SLOTS) - 1);
  for (const [i, { client }] of replicas.entries()) {
    const master = String(await masters[i % MASTERS]?.client.cluster('MYID'));
    await eventually(() => client.call('CLUSTER', 'REPLICATE', master)); // fails until they have met
  }
  const all = [...masters, ...replicas];
  await eventually(async () =>
    (await Promise.all(all.map((node) => knows(node, all.length)))).every(Boolean),
  );
}

async function knows({ client }: TestRedis, count: number): Promise<boolean> {
  const nodes = String(await client.cluster('NODES'));
  return (
    nodes.match(/ connected/g)?.length === count &&
    nodes.match(/slave /g)?.length === count - MASTERS &&
    String(await client.cluster('INFO')).includes('cluster_state:ok') &&
    !(await client.info('replication')).includes('master_link_status:down')
  );
}
