import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { migrate } from './database.mjs';
import { logFileFor } from './log-file.mjs';
import { choosePorts } from './ports.mjs';
import { findPostgresHome, removePostgresData } from './postgres-home.mjs';
import { createPostgresServer, postgresUrl } from './postgres-server.mjs';
import { waitReady } from './wait-ready.mjs';

export const TEST_DATA = 'test-postgres';
const TEMPLATE = 'verdict_template';

/**
 * One Postgres for the whole run, new every time. Each test file clones the migrated template, which takes a few
 * milliseconds. No test here is about power loss, so nothing is synced.
 * @param {{ directory: string, runFile: object, note: (detail: string) => void }} options
 */
export async function startTestPostgres({ directory, runFile, note }) {
  removePostgresData(TEST_DATA);
  const home = findPostgresHome(TEST_DATA);
  const ports = await choosePorts(['postgres'], path.join(directory, 'ports.json'));
  const password = randomBytes(18).toString('base64url');
  const log = logFileFor('postgres', path.join(directory, 'logs'));
  const server = await createPostgresServer({
    home,
    port: ports.postgres,
    password,
    databases: [TEMPLATE],
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' },
    log,
    runFile,
  });
  server.start();
  try {
    await waitReady(server);
    await migrate(postgresUrl(ports.postgres, password, TEMPLATE), logFileFor('migrate', path.dirname(log)));
  } catch (error) {
    await server.stop();
    throw error;
  }
  note(`${home.version}, 127.0.0.1:${ports.postgres}, template migrated`);
  return {
    environment: {
      TEST_DATABASE_URL: postgresUrl(ports.postgres, password, 'postgres'),
      TEST_DATABASE_TEMPLATE: TEMPLATE,
    },
    async stop() {
      await server.stop();
      removePostgresData(TEST_DATA);
    },
  };
}
