import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findRedis } from '../../../scripts/lib/system-programs.mjs';
import { freePort } from './free-port.js';
import { answersPing, launchRedis, type RedisSettings } from './launch-redis.js';
import type { Certificates } from './make-certificates.js';
import { startRestartable } from './restartable.js';
import { whenReady } from './when-ready.js';

export interface RedisOptions {
  /** On top of those of production. With an `aclfile`, a user named `health` must be allowed to ping. */
  readonly settings?: RedisSettings;
  /** Added to the environment of its process, such as a library to load first. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Makes it listen with TLS only. */
  readonly tls?: Certificates;
  readonly binary?: string;
}

export type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** Starts a Redis of this test's own. */
export async function startRedis({ settings = {}, environment = {}, tls, binary }: RedisOptions = {}) {
  const program = binary ?? (await findRedis()).file;
  const directory = await mkdtemp(join(tmpdir(), 'verdict-redis-'));
  const port = await freePort();
  const url = `${tls ? 'rediss' : 'redis'}://${settings.aclfile ? 'health:any@' : ''}127.0.0.1:${port}`;
  const all = { ...(tls ? tlsSettings(tls, port) : { port: String(port) }), ...settings };
  const authority = tls && { ca: await readFile(tls.certificate) };
  const server = await startRestartable(async () => {
    const started = launchRedis(program, directory, all, environment);
    await whenReady('redis', started, () => answersPing(url, authority));
    return started;
  });
  const client = new Redis(url, { lazyConnect: true });
  client.on('error', () => {}); // a test may take the server away
  return Object.assign(server, {
    url,
    port,
    /** Connects on first use. */
    client,
    /** Kills it, because a frozen server would not stop otherwise. */
    async stop() {
      client.disconnect();
      const end = await server.kill();
      await rm(directory, { recursive: true, force: true });
      return end;
    },
  });
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
