import { createHash } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.mjs';
import { createManagedProcess } from './managed-process.mjs';
import { clearPostgresLeftover } from './postgres-leftover.mjs';
import { run } from './run.mjs';

const USER = 'verdict';

/**
 * Our own PostgreSQL: made on the first start, then started on loopback without a socket file.
 * @param {{ home: ReturnType<import('./postgres-home.mjs').findPostgresHome>, port: number, password: string,
 *   databases: string[], settings?: Record<string, string>, log: string, runFile: object }} options
 */
export async function createPostgresServer({ home, port, password, databases, settings = {}, log, runFile }) {
  const env = { ...process.env, LC_ALL: 'C' };
  const context = { home, log, env };
  checkVersion(home);
  if (!existsSync(home.data)) await initialise(context, databases);
  await clearPostgresLeftover(home.data);
  await setPassword(context, password);

  const options = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    ...settings,
  };
  return createManagedProcess(
    {
      name: 'postgres',
      command: path.join(home.native, 'bin/postgres'),
      args: [
        '-D',
        home.data,
        ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      env,
      cwd: home.data,
      account: home.account,
      log,
      isReady: async (pid) => isReady(home.data, pid),
    },
    runFile,
  );
}

/** @param {number} port @param {string} password @param {string} database */
export const postgresUrl = (port, password, database) =>
  `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`;

function checkVersion({ data, version }) {
  if (!existsSync(data)) return;
  const made = readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
  if (made === version.split('.')[0]) return;
  throw new Failure(
    `${data} was made by PostgreSQL ${made}, this is ${version}: take your data out with the older release, then npm start -- --fresh.`,
  );
}

/** Under another name until complete, so that an interrupted first start leaves nothing half made. */
async function initialise({ home, log, env }, databases) {
  const unfinished = `${home.data}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  await run(
    path.join(home.native, 'bin/initdb'),
    ['-D', unfinished, '-U', USER, '--auth=trust', '--no-instructions', ...locale],
    {
      log,
      env,
      cwd: path.dirname(home.data),
      account: home.account,
      sentence: 'PostgreSQL could not be set up.',
    },
  );
  // Nobody is trusted: only a password over loopback gets in. There is no socket file for anything else.
  writeFileSync(path.join(unfinished, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
  const sql = databases.map((name) => `CREATE DATABASE ${name};\n`).join('');
  await singleUser({ home: { ...home, data: unfinished }, log, env }, sql);
  renameSync(unfinished, home.data);
}

/** Without a server: the one way to speak to Postgres that needs neither a driver nor a password. */
async function singleUser({ home, log, env }, sql) {
  await run(path.join(home.native, 'bin/postgres'), ['--single', '-D', home.data, 'postgres'], {
    log,
    env,
    cwd: home.data,
    account: home.account,
    input: sql,
    sentence: 'PostgreSQL could not be set up.',
  });
}

/** The data may outlive the secrets (they lie apart when root runs this): then the new password becomes theirs. */
async function setPassword(context, password) {
  const { data, account } = context.home;
  const mark = path.join(data, 'verdict-password.sha256');
  const digest = createHash('sha256').update(password).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === digest) return;
  await singleUser(context, `ALTER ROLE ${USER} PASSWORD '${password}';\n`);
  writeFileSync(mark, digest, { mode: 0o600 });
  if (account) chownSync(mark, account.uid, account.gid);
}

/** The eighth line of its pid file is the state. */
function isReady(data, pid) {
  try {
    const lines = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}
