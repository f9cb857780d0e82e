import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type Database } from '@verdict/db/client.js';
import { migrate } from '@verdict/db/migrate.js';
import { connectForRequests, type RedisConnection } from '@verdict/redis-store/connect.js';
import type { Test } from 'tap';
import { eventually } from './eventually.js';

/** A Postgres database and a Redis of this test file's own, gone when it ends. */
export interface Stores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly db: Database;
  readonly redis: RedisConnection;
  /** Takes Redis away as a crash would, and brings it back with its data. */
  stopRedis(): Promise<void>;
  startRedis(): Promise<void>;
}

const environment = process.env;

export async function startStores(t: Test): Promise<Stores> {
  const databaseUrl = await createDatabase(t);
  const db = connectDatabase({ url: databaseUrl, name: 'test' });
  t.teardown(() => db.$disconnect());

  const port = await freePort();
  const dir = await mkdtemp(join(tmpdir(), 'verdict-redis-'));
  const server = redisServer(port, dir);
  await server.start();
  const redisUrl = `redis://127.0.0.1:${port}`;
  const redis = connectForRequests({ url: redisUrl }, 'test');
  redis.on('error', () => undefined);
  await redis.connect();
  t.teardown(async () => {
    redis.disconnect();
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });
  return { databaseUrl, redisUrl, db, redis, stopRedis: server.stop, startRedis: server.start };
}

async function createDatabase(t: Test): Promise<string> {
  const adminUrl = environment.TEST_DATABASE_URL;
  if (!adminUrl) throw new Error('TEST_DATABASE_URL is missing: npm test sets it');
  const template = environment.TEST_DATABASE_TEMPLATE;
  const name = `cp_${randomBytes(8).toString('hex')}`;
  const admin = connectDatabase({ url: adminUrl, name: 'test-admin', connectionsMax: 1 });
  await admin.$executeRawUnsafe(`CREATE DATABASE ${name}${template ? ` TEMPLATE ${template}` : ''}`);
  t.teardown(async () => {
    await admin.$executeRawUnsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.$disconnect();
  });
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  if (!template) await migrate(url.href);
  return url.href;
}

function redisServer(port: number, dir: string) {
  const binary = environment.TEST_REDIS_BIN ?? 'redis-server';
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];
  let child: ReturnType<typeof spawn> | undefined;
  return {
    async start() {
      child = spawn(binary, [...settings, ...durable], { stdio: 'ignore' });
      const probe = connectForRequests({ url: `redis://127.0.0.1:${port}` }, 'probe');
      probe.on('error', () => undefined);
      await eventually(async () => (await probe.ping()) === 'PONG');
      probe.disconnect();
    },
    async stop() {
      const running = child;
      child = undefined;
      if (!running || running.exitCode !== null) return;
      const exited = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGKILL');
      await exited;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
