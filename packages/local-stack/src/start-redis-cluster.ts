import type { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { createRedisNodes, type RedisNode } from './redis-nodes.js';
import { asArguments } from './redis-settings.js';

const MASTERS = 3;
const SLOTS = 16_384;
/** So long that a starved machine is not taken for a dead one; production uses 5 to 15 seconds. */
const NODE_TIMEOUT_MS = 60_000;

interface ClusterOptions {
  /** After how long a silent node is taken for dead. Short where a test is about that. */
  readonly nodeTimeoutMs?: number;
}

interface TestRedisCluster {
  /** As REDIS_CLUSTER wants them. */
  readonly nodes: string;
  /** In the order of their slots; their replicas follow in `replicas`. */
  readonly masters: readonly RedisNode[];
  readonly replicas: readonly RedisNode[];
  /** The master that serves a key now. */
  masterOf(key: string): Promise<RedisNode>;
  /** Gives the slot of a key to another master while everybody goes on using it, as a rebalancing does. */
  moveSlotOf(key: string): Promise<void>;
  stop(): Promise<void>;
}

/** Three masters with a replica each, on loopback, as durable as in production. */
export async function startRedisCluster({
  nodeTimeoutMs = NODE_TIMEOUT_MS,
}: ClusterOptions = {}): Promise<TestRedisCluster> {
  const nodes = await createRedisNodes('cluster');
  const { all } = nodes;
  try {
    for (let i = 0; i < 2 * MASTERS; i++) {
      const [port, busPort] = [await freePort(), await freePort()];
      await nodes.launchData(port, clusterArguments(port, busPort, nodeTimeoutMs));
      if (i > 0) await first(all).client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
    }
    await form(all.map(({ client }) => client));
  } catch (error) {
    await nodes.stop();
    throw error;
  }
  const masters = all.slice(0, MASTERS);
  async function masterOf(key: string): Promise<RedisNode> {
    const { client } = all.find((one) => !one.process.end()) ?? first(all);
    const slot = Number(await client.cluster('KEYSLOT', key));
    const ranges = await client.cluster('SLOTS');
    const port = ranges.find(([from, to]) => slot >= from && slot <= to)?.[2]?.[1];
    const node = all.find((one) => one.port === port);
    if (!node) throw new Error(`no master serves ${key}`);
    return node;
  }
  return {
    nodes: all.map(({ port }) => `127.0.0.1:${port}`).join(','),
    masters,
    replicas: all.slice(MASTERS),
    masterOf,
    async moveSlotOf(key) {
      const source = await masterOf(key);
      const target = first(masters.filter((one) => one !== source));
      await moveSlot(Number(await source.client.cluster('KEYSLOT', key)), source, target, masters);
    },
    stop: nodes.stop,
  };
}

const clusterArguments = (port: number, busPort: number, nodeTimeoutMs: number): string[] =>
  asArguments({
    'cluster-enabled': 'yes',
    'cluster-port': String(busPort),
    'cluster-config-file': `nodes-${port}.conf`,
    'cluster-node-timeout': String(nodeTimeoutMs),
    'cluster-replica-validity-factor': '0',
    // A slot without a master must not stop the accounts of all others.
    'cluster-require-full-coverage': 'no',
  });

async function form(clients: readonly Redis[]): Promise<void> {
  const share = Math.ceil(SLOTS / MASTERS);
  for (const [i, client] of clients.slice(0, MASTERS).entries()) {
    await client.call('CLUSTER', 'ADDSLOTSRANGE', i * share, Math.min((i + 1) * share, SLOTS) - 1);
  }
  const everybodyKnows = async (fact: RegExp, count: number) =>
    eventually(
      async () => {
        const views = await Promise.all(clients.map(async (client) => String(await client.cluster('NODES'))));
        return views.every((view) => view.split('\n').filter((line) => fact.test(line)).length === count);
      },
      { withinMs: 120_000, everyMs: 100 },
    );
  await everybodyKnows(/ connected/, clients.length);
  for (const [i, client] of clients.slice(MASTERS).entries()) {
    const master = String(await clients[i]?.cluster('MYID'));
    await eventually(async () => (await client.call('CLUSTER', 'REPLICATE', master)) === 'OK');
  }
  await everybodyKnows(/slave .* connected/, MASTERS);
  await eventually(
    async () => {
      const links = await Promise.all(clients.slice(MASTERS).map((client) => client.info('replication')));
      return links.every((text) => text.includes('master_link_status:up'));
    },
    { withinMs: 120_000, everyMs: 100 },
  );
}

async function moveSlot(
  slot: number,
  source: RedisNode,
  target: RedisNode,
  masters: readonly RedisNode[],
): Promise<void> {
  const [from, to] = await Promise.all([source, target].map(({ client }) => client.cluster('MYID')));
  await target.client.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', String(from));
  await source.client.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', String(to));
  for (;;) {
    // A few at a time, so that for a while the keys of one step are on both sides.
    const keys = (await source.client.call('CLUSTER', 'GETKEYSINSLOT', slot, 2)) as string[];
    if (keys.length === 0) break;
    await source.client.call('MIGRATE', '127.0.0.1', target.port, '', 0, 5_000, 'KEYS', ...keys);
  }
  for (const { client } of [target, source, ...masters]) {
    await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', String(to));
  }
}

function first(nodes: readonly RedisNode[]): RedisNode {
  const [node] = nodes;
  if (!node) throw new Error('the cluster has no nodes');
  return node;
}
