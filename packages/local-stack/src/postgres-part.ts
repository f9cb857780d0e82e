import { createHash } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from './failure.js';
import type { PostgresHome } from './postgres-home.js';
import { runCommand } from './run-command.js';
import { stopSignalOf } from './run-file.js';
import { startProcess } from './start-process.js';
import type { Part } from './supervisor.js';

const USER = 'verdict';
const SENTENCE = 'PostgreSQL could not be set up.';
const env = { ...process.env, LC_ALL: 'C' };

export interface PostgresOptions {
  readonly home: PostgresHome;
  readonly port: number;
  readonly password: string;
  /** Made together with the data directory. */
  readonly database: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: string;
}

export const postgresUrl = ({ port, password }: PostgresOptions, database: string): string =>
  `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`;

/** Our own PostgreSQL: made on the first start, then started on loopback without a socket file. */
export async function createPostgresPart(options: PostgresOptions): Promise<Part> {
  const { home, port, password, database, log } = options;
  const { data, account } = home;
  if (existsSync(data)) checkVersion(home);
  else await initialise(home, database);
  removeStalePidFile(data);
  await setPassword(home, password);
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    name: 'postgres',
    log,
    launch: () =>
      startProcess(join(home.native, 'bin/postgres'), ['-D', data, ...args], env, {
        log,
        account,
        cwd: data,
        stopSignal: stopSignalOf('postgres'),
      }),
    isReady: async ({ pid }) => isReady(data, pid),
  };
}

function checkVersion({ data, version }: PostgresHome): void {
  const made = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (made === version.split('.')[0]) return;
  throw new Failure(
    `${data} was made by PostgreSQL ${made}, this is ${version}: take your data out with the older release, then npm start -- --fresh.`,
  );
}

/** Under another name until complete, so that an interrupted first start leaves nothing half made. */
async function initialise(home: PostgresHome, database: string): Promise<void> {
  const unfinished = `${home.data}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  await runCommand(
    join(home.native, 'bin/initdb'),
    ['-D', unfinished, '-U', USER, '--auth=trust', '--no-instructions', ...locale],
    { env, cwd: dirname(home.data), account: home.account, sentence: SENTENCE },
  );
  // Nobody is trusted: only a password over loopback gets in. There is no socket file for anything else.
  writeFileSync(join(unfinished, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
  await singleUser({ ...home, data: unfinished }, `CREATE DATABASE ${database};\n`);
  renameSync(unfinished, home.data);
}

/** Without a server: the one way to speak to Postgres that needs neither a driver nor a password. */
async function singleUser({ native, data, account }: PostgresHome, input: string): Promise<void> {
  const args = ['--single', '-D', data, 'postgres'];
  await runCommand(join(native, 'bin/postgres'), args, {
    env,
    cwd: data,
    account,
    input,
    sentence: SENTENCE,
  });
}

/** The data may outlive the secrets (they lie apart when root runs this): then the new password becomes theirs. */
async function setPassword(home: PostgresHome, password: string): Promise<void> {
  const mark = join(home.data, 'verdict-password.sha256');
  const digest = createHash('sha256').update(password).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === digest) return;
  await singleUser(home, `ALTER ROLE ${USER} PASSWORD '${password}';\n`);
  writeFileSync(mark, digest, { mode: 0o600 });
  if (home.account) chownSync(mark, home.account.uid, home.account.gid);
}

/**
 * After a crash the pid file stays, and its number may be another program's by now, which would keep Postgres from
 * starting. What an earlier run left running was stopped by then; should anything still work in the directory, Postgres
 * finds its shared memory in use and refuses by itself.
 */
function removeStalePidFile(data: string): void {
  const file = join(data, 'postmaster.pid');
  const pid = Number(existsSync(file) && readFileSync(file, 'utf8').split('\n')[0]);
  if (!pid) return;
  const commandLine = `/proc/${pid}/cmdline`;
  if (existsSync(commandLine) && !readFileSync(commandLine, 'utf8').includes(data)) rmSync(file);
}

/** The eighth line of its pid file is the state. */
function isReady(data: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}
