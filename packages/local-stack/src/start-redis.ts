import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { startProcess } from '../../../scripts/lib/start-process.mjs';
import { findRedis } from '../../../scripts/lib/system-programs.mjs';
import { freePort } from './free-port.js';
import type { Certificates } from './make-certificates.js';
import { startServer } from './start-server.js';

/** By their names in redis.conf. */
type RedisSettings = Readonly<Record<string, string>>;

export interface RedisOptions {
  /** On top of those of production. With an `aclfile`, a user named `health` must be allowed to ping. */
  readonly settings?: RedisSettings;
  /** Added to the environment of its process, such as a library to load first. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Makes it listen with TLS only. */
  readonly tls?: Certificates;
  /** Where its data outlives it, and its port and its log. Without them it is this test's alone. */
  readonly kept?: { readonly directory: string; readonly port: number; readonly log: string };
}

/**
 * Syncs every write before it is acknowledged and evicts nothing. The gateway answers once a check's log is in the queue,
 * so the queue must survive a crash.
 */
const DURABLE: RedisSettings = {
  save: '',
  appendonly: 'yes',
  appendfsync: 'always',
  'maxmemory-policy': 'noeviction',
  // Replicas of a test connect one after the other; waiting for more of them only costs time.
  'repl-diskless-sync-delay': '0',
};

export type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** Starts a Redis with the settings of production and these. A file holds them, because everyone can read arguments. */
export async function startRedis({ settings = {}, environment, tls, kept }: RedisOptions = {}) {
  const program = await findRedis();
  const directory = kept?.directory ?? mkdtempSync(join(tmpdir(), 'verdict-redis-'));
  const port = kept?.port ?? (await freePort());
  const login = settings.aclfile ? 'health:any@' : settings.requirepass ? `:${settings.requirepass}@` : '';
  const url = `${tls ? 'rediss' : 'redis'}://${login}127.0.0.1:${port}`;
  const isSentinel = Object.keys(settings).some((name) => name.startsWith('sentinel '));
  const all: RedisSettings = {
    bind: '127.0.0.1',
    dir: directory,
    ...(isSentinel ? {} : DURABLE),
    ...(tls ? tlsSettings(tls, port) : { port: String(port) }),
    ...settings,
  };
  const file = join(directory, 'redis.conf');
  // Redis refuses to start when the locale of the caller is not installed.
  const env = { ...process.env, LC_ALL: 'C', ...environment };
  const server = await startServer({
    name: 'redis',
    launch() {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const lines = Object.entries(all).map(([name, value]) => `${name} ${JSON.stringify(value)}\n`);
      writeFileSync(file, lines.join(''), { mode: 0o600 });
      const options = { log: kept?.log, cwd: directory };
      return startProcess(program, [file, ...(isSentinel ? ['--sentinel'] : [])], env, options);
    },
    isReady: () => ping(url, tls),
  });
  const client = new Redis(url, { lazyConnect: true });
  client.on('error', () => {}); // a test may take the server away
  const stop = server.stop;
  return Object.assign(server, {
    url,
    port,
    /** Connects on first use. */
    client,
    /** That of a test is killed, because a frozen server would not stop otherwise. */
    async stop() {
      client.disconnect();
      if (kept) return stop();
      const end = await server.kill();
      await rm(directory, { recursive: true, force: true });
      return end;
    },
  });
}

/** Fails until it has loaded its data. */
async function ping(url: string, tls?: Certificates): Promise<string> {
  const once = { retryStrategy: null, maxRetriesPerRequest: 0, enableReadyCheck: false };
  const client = new Redis(url, tls ? { ...once, tls: { ca: readFileSync(tls.certificate) } } : once);
  client.on('error', () => {}); // the ping fails too
  return client.ping().finally(() => client.disconnect());
}

const tlsSettings = ({ certificate, key }: Certificates, port: number): RedisSettings => ({
  port: '0',
  'tls-port': String(port),
  'tls-cert-file': certificate,
  'tls-key-file': key,
  'tls-ca-cert-file': certificate,
  // Services log in with user and password, not with client certificates.
  'tls-auth-clients': 'no',
});
