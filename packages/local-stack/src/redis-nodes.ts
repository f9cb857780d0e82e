import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { asArguments, DURABLE, REDIS_ENVIRONMENT } from './redis-settings.js';
import { type RunningProcess, startProcess } from './start-process.js';
import { testEnvironment } from './test-environment.js';

export interface RedisNode {
  readonly port: number;
  readonly process: RunningProcess;
  readonly client: Redis;
}

export interface RedisNodes {
  readonly directory: string;
  /** In the order in which they were launched. */
  readonly all: readonly RedisNode[];
  /** Until it answers. */
  launch(port: number, args: readonly string[]): Promise<RedisNode>;
  /** One that holds data, as durable as in production. */
  launchData(port: number, more?: readonly string[]): Promise<RedisNode>;
  stop(): Promise<void>;
}

/** Redis processes that belong together, each with a client, and one folder for all of them. */
export async function createRedisNodes(name: string): Promise<RedisNodes> {
  const directory = await mkdtemp(join(tmpdir(), `verdict-${name}-`));
  const all: RedisNode[] = [];
  async function launch(port: number, args: readonly string[]): Promise<RedisNode> {
    const started = startProcess(testEnvironment('TEST_REDIS_BIN'), args, REDIS_ENVIRONMENT);
    const client = new Redis({ host: '127.0.0.1', port, lazyConnect: true });
    client.on('error', () => {}); // refused until it listens, and after a test has killed it
    const node = { port, process: started, client };
    all.push(node);
    await eventually(async () => (await client.ping()) === 'PONG');
    return node;
  }

  return {
    directory,
    all,
    launch,
    launchData: (port, more = []) => launch(port, [...dataArguments(port, directory), ...more]),
    async stop() {
      for (const { client } of all) client.disconnect();
      await Promise.all(all.map(async (node) => node.process.end() ?? (await node.process.kill())));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const dataArguments = (port: number, directory: string): string[] =>
  asArguments({
    ...DURABLE,
    port: String(port),
    dir: directory,
    appenddirname: `aof-${port}`,
    dbfilename: `dump-${port}.rdb`,
    'repl-diskless-sync-delay': '0',
  });
