import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { logOf } from './paths.mjs';
import { run } from './run.mjs';

/** No npm package ships a Redis server. */
const REDIS = ['redis-server', 'valkey-server'];
const NEEDED =
  'Redis is needed. Install it with apt-get install redis-server, brew install redis, dnf install valkey or apk add redis.';

// Debian keeps some servers in sbin, which a user's PATH may leave out.
const SEARCHED = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;
const FIND = 'PATH=$1; shift; for name; do command -v "$name" && exit; done';

/** A mask, and run level 1 for older init scripts, keep the package from starting a server on its usual port. */
const INSTALL = `systemctl mask --runtime "$1" 2>/dev/null
apt-get update && apt-get install -y --no-install-recommends "$1"
code=$?
systemctl unmask --runtime "$1" 2>/dev/null
exit $code`;
const LOCK = '/tmp/verdict-apt.lock';

/** Throws with the command to type unless there is a Redis or root can install one. */
export function requireRedis({ searched = SEARCHED, uid = process.getuid?.() } = {}) {
  if (onPath(REDIS, searched) || (existsSync('/etc/debian_version') && uid === 0)) return;
  throw new Error(`${NEEDED} Or set REDIS_URL to a server you have.`);
}

/** Finds the Redis or Valkey server of this machine, and notes its version. @param {(detail: string) => void} [note] */
export async function findRedis(note) {
  const file = await findProgram(REDIS, 'redis-server', note);
  if (!file) throw new Error(NEEDED);
  note?.(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout.replace(/ server v=(\S+).*\n/, ' $1'));
  return file;
}

/**
 * Finds the first of these programs; root on Debian or Ubuntu gets a missing one from apt. Test files run side by side
 * and may miss the same program, so a lock lets one of them install at a time.
 * @param {readonly string[]} names @param {string} debianPackage @param {(detail: string) => void} [note]
 */
export async function findProgram(names, debianPackage, note) {
  const found = onPath(names);
  if (found) return found;
  await installPackage(debianPackage, note);
  return onPath(names);
}

/** Installs a package with apt; does nothing unless root asks on Debian or Ubuntu. @param {string} debianPackage @param {(detail: string) => void} [note] */
export async function installPackage(debianPackage, note) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return;
  note?.(`installing ${debianPackage} with apt`);
  await run('flock', [LOCK, 'sh', '-c', INSTALL, 'sh', debianPackage], {
    log: logOf('apt'),
    sentence: `apt could not install ${debianPackage}; try: apt-get install ${debianPackage}.`,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
}

const onPath = (names, searched = SEARCHED) =>
  spawnSync('/bin/sh', ['-c', FIND, 'sh', searched, ...names], { encoding: 'utf8' }).stdout.trim() || null;
