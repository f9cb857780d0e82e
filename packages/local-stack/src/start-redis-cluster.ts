import type { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { createRedisNodes, type RedisNode } from './redis-nodes.js';
import { asArguments } from './redis-settings.js';

const MASTERS = 3;
const SLOTS = 16_384;
/** Short, so that a test need not wait for a failover; production uses 5 to 15 seconds. */
const NODE_TIMEOUT_MS = 1_500;

export interface TestRedisCluster {
  /** As REDIS_CLUSTER wants them. */
  readonly nodes: string;
  /** In the order of their slots; their replicas follow in `replicas`. */
  readonly masters: readonly RedisNode[];
  readonly replicas: readonly RedisNode[];
  /** The master that serves a key now. */
  masterOf(key: string): Promise<RedisNode>;
  stop(): Promise<void>;
}

/** Three masters with a replica each, on loopback, as durable as in production. */
export async function startRedisCluster(): Promise<TestRedisCluster> {
  const nodes = await createRedisNodes('cluster');
  const { all } = nodes;
  try {
    for (let i = 0; i < 2 * MASTERS; i++) {
      const [port, busPort] = [await freePort(), await freePort()];
      await nodes.launchData(port, clusterArguments(port, busPort));
      if (i > 0) await first(all).client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
    }
    await form(all.map(({ client }) => client));
  } catch (error) {
    await nodes.stop();
    throw error;
  }
  return {
    nodes: all.map(({ port }) => `127.0.0.1:${port}`).join(','),
    masters: all.slice(0, MASTERS),
    replicas: all.slice(MASTERS),
    async masterOf(key) {
      const { client } = all.find((one) => !one.process.end()) ?? first(all);
      const slot = Number(await client.cluster('KEYSLOT', key));
      const ranges = await client.cluster('SLOTS');
      const port = ranges.find(([from, to]) => slot >= from && slot <= to)?.[2]?.[1];
      const node = all.find((one) => one.port === port);
      if (!node) throw new Error(`no master serves ${key}`);
      return node;
    },
    stop: nodes.stop,
  };
}

const clusterArguments = (port: number, busPort: number): string[] =>
  asArguments({
    'cluster-enabled': 'yes',
    'cluster-port': String(busPort),
    'cluster-config-file': `nodes-${port}.conf`,
    'cluster-node-timeout': String(NODE_TIMEOUT_MS),
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
      { withinMs: 30_000, everyMs: 100 },
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
    { withinMs: 30_000, everyMs: 100 },
  );
}

function first(nodes: readonly RedisNode[]): RedisNode {
  const [node] = nodes;
  if (!node) throw new Error('the cluster has no nodes');
  return node;
}
