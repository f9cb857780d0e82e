import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import type { Certificates } from './make-certificates.js';
import { type RunningProcess, startProcess } from './start-process.js';
import { testEnvironment } from './test-environment.js';

export interface RedisOptions {
  /** As in production unless a test is about the difference. */
  readonly appendonly?: 'yes' | 'no';
  readonly appendfsync?: 'always' | 'everysec' | 'no';
  readonly maxmemoryPolicy?: string;
  /** Its users; one named `health` must be allowed to ping without a password. */
  readonly aclFile?: string;
  /** Added to the environment of its process, such as a library that it is to load first. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Then it listens with TLS only. */
  readonly tls?: Certificates;
}

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** As a crash would: nothing is written in farewell. */
  kill(): Promise<void>;
  /** On the same port, with the data that survived. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A Redis of this test's own. */
export async function startRedis(options: RedisOptions = {}): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'verdict-redis-'));
  const port = await freePort();
  const scheme = options.tls ? 'rediss' : 'redis';
  const url = `${scheme}://${options.aclFile ? 'health:any@' : ''}127.0.0.1:${port}`;
  let server = await launch();

  async function launch(): Promise<RunningProcess> {
    const started = startProcess(testEnvironment('TEST_REDIS_BIN'), argumentsFor(port, directory, options), {
      ...process.env,
      LC_ALL: 'C',
      ...options.environment,
    });
    await waitForPong(url, started, options.tls);
    return started;
  }

  return {
    url,
    port,
    get pid() {
      return server.pid;
    },
    output: () => server.output(),
    signal: (signal) => server.signal(signal),
    async kill() {
      await server.kill();
    },
    async restart() {
      if (!server.end()) await server.stop();
      server = await launch();
    },
    async stop() {
      if (!server.end()) await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function argumentsFor(port: number, directory: string, options: RedisOptions): string[] {
  const settings = {
    bind: '127.0.0.1',
    ...listening(port, options.tls),
    dir: directory,
    save: '',
    appendonly: options.appendonly ?? 'yes',
    appendfsync: options.appendfsync ?? 'always',
    'maxmemory-policy': options.maxmemoryPolicy ?? 'noeviction',
    ...(options.aclFile ? { aclfile: options.aclFile } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

function listening(port: number, tls: Certificates | undefined): Record<string, string> {
  if (!tls) return { port: String(port) };
  return {
    port: '0',
    'tls-port': String(port),
    'tls-cert-file': tls.certificate,
    'tls-key-file': tls.key,
    'tls-ca-cert-file': tls.authority,
    // Services are known by user and password, not by certificates of their own.
    'tls-auth-clients': 'no',
  };
}

async function waitForPong(url: string, server: RunningProcess, tls?: Certificates): Promise<void> {
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: null,
    maxRetriesPerRequest: 0,
    ...(tls ? { tls: { ca: await readFile(tls.authority) } } : {}),
  });
  client.on('error', () => {}); // refused until it listens; the answer below is what counts
  try {
    await eventually(async () => {
      if (server.end()) return 'ended';
      if (client.status === 'wait' || client.status === 'end') await client.connect();
      return (await client.ping()) === 'PONG' && 'ready';
    });
  } finally {
    client.disconnect();
  }
  if (server.end()) throw new Error(`redis did not start: ${server.output()}`);
}
