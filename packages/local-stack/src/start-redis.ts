import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import type { Certificates } from './make-certificates.js';
import { answersPing, asArguments, DURABLE, REDIS_ENVIRONMENT } from './redis-settings.js';
import { type Restartable, startRestartable } from './restartable.js';
import { startProcess } from './start-process.js';
import { testEnvironment } from './test-environment.js';
import { whenReady } from './when-ready.js';

export interface RedisOptions {
  /** The server to run; without it, the one that the tests were told. */
  readonly binary?: string;
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

export interface TestRedis extends Restartable {
  readonly url: string;
  readonly port: number;
}

/** A Redis of this test's own. */
export async function startRedis(options: RedisOptions = {}): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'verdict-redis-'));
  const port = await freePort();
  const scheme = options.tls ? 'rediss' : 'redis';
  const url = `${scheme}://${options.aclFile ? 'health:any@' : ''}127.0.0.1:${port}`;
  const authority = options.tls && (await readFile(options.tls.authority));
  const args = asArguments({ ...settingsFor(options), ...listening(port, options.tls), dir: directory });
  const server = await startRestartable(async () => {
    const env = { ...REDIS_ENVIRONMENT, ...options.environment };
    const started = startProcess(options.binary ?? testEnvironment('TEST_REDIS_BIN'), args, env);
    await whenReady('redis', started, () => answersPing(url, authority));
    return started;
  });
  const { stop } = server;
  return Object.assign(server, {
    url,
    port,
    async stop() {
      const end = await stop();
      await rm(directory, { recursive: true, force: true });
      return end;
    },
  });
}

function settingsFor(options: RedisOptions): Record<string, string> {
  return {
    ...DURABLE,
    ...(options.appendonly ? { appendonly: options.appendonly } : {}),
    ...(options.appendfsync ? { appendfsync: options.appendfsync } : {}),
    ...(options.maxmemoryPolicy ? { 'maxmemory-policy': options.maxmemoryPolicy } : {}),
    ...(options.aclFile ? { aclfile: options.aclFile } : {}),
  };
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
