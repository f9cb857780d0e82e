import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { createRedisNodes } from './redis-nodes.js';
import type { RunningProcess } from './start-process.js';
import { startProxy, type TcpProxy } from './start-proxy.js';

const MASTER_NAME = 'verdict';
const SENTINELS = 3;
const QUORUM = 2;
/**
 * Short, so that a test need not wait long for a failover; longer than a busy machine holds up a master that is well, or
 * there would be one that nobody brought about. Production uses 5 seconds and more.
 */
const DOWN_AFTER_MS = 4_000;

export interface TestRedisSentinel {
  /** As REDIS_URL wants it. */
  readonly url: string;
  readonly master: RunningProcess;
  /** Between the first master and everybody else, the Sentinels and its replica among them. */
  readonly link: TcpProxy;
  readonly replicaPort: number;
  /** Until the replica has whatever the master had when this was asked: a busy machine may keep it seconds behind. */
  caughtUp(): Promise<void>;
  /** The port of the master that the Sentinels name now. */
  masterPort(): Promise<number>;
  stop(): Promise<void>;
}

/** A master with one replica and three Sentinels that watch them, on loopback, as durable as in production. */
export async function startRedisSentinel(): Promise<TestRedisSentinel> {
  const nodes = await createRedisNodes('sentinel');
  let link: TcpProxy | undefined;
  const stop = async () => {
    await link?.close();
    await nodes.stop();
  };
  try {
    const [ownPort, replicaPort] = [await freePort(), await freePort()];
    const master = await nodes.launchData(ownPort);
    link = await startProxy({ host: '127.0.0.1', port: ownPort });
    const masterPort = link.port;
    const replica = await nodes.launchData(replicaPort, ['--replicaof', '127.0.0.1', String(masterPort)]);
    await eventually(async () =>
      (await replica.client.info('replication')).includes('master_link_status:up'),
    );
    const ports: number[] = [];
    const sentinels: Redis[] = [];
    while (ports.length < SENTINELS) {
      const port = await freePort();
      const file = join(nodes.directory, `sentinel-${port}.conf`);
      await writeFile(file, sentinelFile(port, masterPort, nodes.directory));
      ports.push(port);
      sentinels.push((await nodes.launch(port, [file, '--sentinel'])).client);
    }
    // Before they know the replica and each other they cannot agree on a successor.
    await eventually(async () => {
      const views = await Promise.all(sentinels.map((one) => one.call('SENTINEL', 'CKQUORUM', MASTER_NAME)));
      const known = await Promise.all(sentinels.map((one) => one.call('SENTINEL', 'REPLICAS', MASTER_NAME)));
      return (
        views.every((view) => String(view).startsWith(`OK ${SENTINELS} usable`)) &&
        known.every((replicas) => (replicas as unknown[]).length === 1)
      );
    });
    return {
      url: `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${MASTER_NAME}`,
      master: master.process,
      link,
      replicaPort,
      async caughtUp() {
        await master.client.set('caught-up', '1');
        await master.client.wait(1, 0);
      },
      async masterPort() {
        const address = await sentinels[0]?.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER_NAME);
        return Number((address as string[] | undefined)?.[1]);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A Sentinel keeps what it learns in its file, so it wants one of its own. */
const sentinelFile = (port: number, masterPort: number, directory: string): string =>
  [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${directory}`,
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterPort} ${QUORUM}`,
    `sentinel down-after-milliseconds ${MASTER_NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER_NAME} 5000`,
    '',
  ].join('\n');
