import { randomBytes } from 'node:crypto';
import { roleSettings } from './database-roles.js';
import { choosePorts } from './free-port.js';
import { migrate } from './migrate.js';
import { inData } from './paths.js';
import { findPostgresHome, removePostgresData } from './postgres-home.js';
import { createPostgresPart, postgresUrl } from './postgres-part.js';
import type { RunFile } from './run-file.js';
import { whenReady } from './when-ready.js';

const DATA = 'test-postgres';
const TEMPLATE = 'verdict_template';
/** No test here is about power loss, so nothing is synced. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

export interface TestPostgres {
  /** What the test files are told. */
  readonly environment: { readonly TEST_DATABASE_URL: string; readonly TEST_DATABASE_TEMPLATE: string };
  stop(): Promise<void>;
}

/** One Postgres for the whole run, new every time. Each test file clones the migrated template, which takes a few milliseconds. */
export async function startTestPostgres(
  runFile: RunFile,
  note: (detail: string) => void,
): Promise<TestPostgres> {
  removePostgresData(DATA);
  const home = findPostgresHome(DATA);
  const { postgres: port } = await choosePorts(['postgres'], inData('test/ports.json'));
  const password = randomBytes(18).toString('base64url');
  const log = inData('test/logs/postgres.log');
  const options = { home, port, password, log, database: TEMPLATE, settings: SETTINGS };
  const part = await createPostgresPart(options);
  const server = part.launch();
  runFile.add(part.name, server.pid);
  try {
    await whenReady(part.name, server, () => part.isReady(server), { log });
    const template = postgresUrl(options, TEMPLATE);
    await migrate(template, roleSettings(template));
  } catch (error) {
    await server.stop();
    throw error;
  }
  note(`${home.version}, 127.0.0.1:${port}, template migrated`);
  return {
    environment: {
      TEST_DATABASE_URL: postgresUrl(options, 'postgres'),
      TEST_DATABASE_TEMPLATE: TEMPLATE,
    },
    async stop() {
      await server.stop();
      removePostgresData(DATA);
    },
  };
}
