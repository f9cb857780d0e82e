import { roleSettings } from './database-roles.js';
import { freePort } from './free-port.js';
import { readJson } from './json-file.js';
import type { SharedStack } from './open-stack.js';
import { inData } from './paths.js';
import { removePostgresData, startPostgres } from './postgres.js';
import { migrate } from './program.js';

/** No test here is about power loss, so nothing is synced. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

/** The database that tests clone within milliseconds. */
export const TEMPLATE = 'verdict_template';

/** Where a run of many files says which server they share. */
export const SHARED_FILE = inData('test/shared.json');

export interface Shared {
  /** The process that keeps it. */
  readonly pid: number;
  /** The address of its PostgreSQL. */
  readonly server?: string | undefined;
  readonly stack?: SharedStack | undefined;
}

let own: Promise<string> | undefined;

/** The PostgreSQL of the run. A file that runs alone starts one and stops it at its end. */
export const testServerUrl = (): Promise<string> => (own ??= findOrStart());

async function findOrStart(): Promise<string> {
  const shared = sharedRun();
  if (shared?.server) return shared.server;
  const { url, stopNow } = await startTestServer(`test-postgres-${process.pid}`);
  process.once('exit', stopNow);
  return url;
}

/** Starts the server and makes its template; `name` is the folder of its data. One that is to be killed needs other settings. */
export async function startTestServer(
  name: string,
  settings: Readonly<Record<string, string>> = SETTINGS,
  environment?: Readonly<Record<string, string>>,
) {
  removePostgresData(name); // a run that was killed leaves its data
  const log = inData('test/logs/postgres.log');
  const postgres = await startPostgres({ name, port: await freePort(), settings, log, environment });
  const stopNow = () => {
    postgres.signal('SIGQUIT');
    removePostgresData(name);
  };
  try {
    const template = await postgres.database(TEMPLATE);
    await migrate(template, roleSettings(template));
    return Object.assign(postgres, { stopNow });
  } catch (error) {
    stopNow();
    throw error;
  }
}

/** The shared resources of the run that this file belongs to. */
export function sharedRun(): Shared | null {
  const shared = readJson<Shared>(SHARED_FILE);
  try {
    return shared && process.kill(shared.pid, 0) ? shared : null;
  } catch {
    return null; // left behind by a run that was killed
  }
}
