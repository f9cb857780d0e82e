import { rmSync } from 'node:fs';
import { roleSettings } from './database-roles.js';
import { freePort } from './free-port.js';
import { readJson } from './json-file.js';
import type { SharedStack } from './open-stack.js';
import { inData } from './paths.js';
import { createDatabaseOnce, preparePostgres, removePostgresData } from './postgres.js';
import { migrate } from './program.js';
import { type SeededAccount, seedAccount } from './seed-account.js';
import { startRedis } from './start-redis.js';
import { whenReady } from './when-ready.js';

/** No test here is about power loss, so nothing is synced. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

/** A PostgreSQL with two templates that tests clone within milliseconds: `TEMPLATE`, and `SEEDED` with an account in it. */
export interface TestServer {
  readonly url: string;
  readonly account: SeededAccount;
}

export const TEMPLATE = 'verdict_template';
export const SEEDED = 'verdict_seeded';

/** Where a run of many files says which server they share. */
export const SHARED_FILE = inData('test/shared.json');

export interface Shared {
  /** The process that keeps it. */
  readonly pid: number;
  readonly server: TestServer;
  readonly stack?: SharedStack | undefined;
}

let own: Promise<TestServer> | undefined;

/** The server of the run. A file that runs alone starts one and stops it at its end. */
export function testServer(): Promise<TestServer> {
  own ??= findOrStart();
  return own;
}

async function findOrStart(): Promise<TestServer> {
  const shared = sharedRun();
  if (shared) return shared.server;
  const { server, stopNow } = await startTestServer(`test-postgres-${process.pid}`);
  process.once('exit', stopNow);
  return server;
}

/** Starts the server and makes its templates; `name` is the folder of its data. */
export async function startTestServer(name: string) {
  removePostgresData(name); // a run that was killed leaves its data
  const log = inData('test/logs/postgres.log');
  const postgres = await preparePostgres({ name, port: await freePort(), settings: SETTINGS, log });
  const running = postgres.part.launch();
  running.unref();
  const stopNow = () => {
    running.signal('SIGQUIT');
    removePostgresData(name);
  };
  try {
    await whenReady('postgres', running, () => postgres.part.isReady(running), { log });
    const template = await createDatabaseOnce(postgres, TEMPLATE);
    await migrate(template, roleSettings(template));
    const seeded = await createDatabaseOnce(postgres, SEEDED, TEMPLATE);
    const redis = await startRedis();
    const account = await seedAccount({ databaseUrl: seeded, redisUrl: redis.url }).finally(() =>
      redis.stop(),
    );
    return { server: { url: postgres.url('postgres'), account }, label: postgres.label, stopNow };
  } catch (error) {
    stopNow();
    throw error;
  }
}

export const forgetShared = (): void => rmSync(SHARED_FILE, { force: true });

/** The shared resources of the run that this file belongs to. */
export function sharedRun(): Shared | null {
  const shared = readJson<Shared>(SHARED_FILE);
  try {
    return shared && process.kill(shared.pid, 0) ? shared : null;
  } catch {
    return null; // left behind by a run that was killed
  }
}
