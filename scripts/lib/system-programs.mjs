import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';

/** No npm package ships a Redis server. */
const REDIS = ['redis-server', 'valkey-server'];

/** Throws with the command to type unless there is a Redis or root can install one. */
export function requireRedis({ directories = searched(), uid = process.getuid?.() } = {}) {
  if (find(REDIS, directories) || (isDebian() && uid === 0)) return;
  throw new Error(`Redis is needed. ${advice()} Or set REDIS_URL to a server you have.`);
}

/** The Redis server of this machine; on Debian and Ubuntu root gets it from apt. @param {(detail: string) => void} note */
export async function findRedis(note) {
  if (!find(REDIS)) {
    note('installing redis-server with apt');
    // The package starts a server on 6379, which is not ours to occupy: a mask until it is installed says no to systemd.
    const systemctl = (verb) =>
      existsSync('/run/systemd/system') &&
      spawnSync('systemctl', [verb, '--runtime', 'redis-server.service']);
    systemctl('mask');
    try {
      await aptInstall('redis-server');
    } finally {
      systemctl('unmask');
    }
  }
  const file = find(REDIS);
  const version = /v=([\d.]+)/.exec(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout)?.[1];
  note(`${path.basename(file).replace('-server', '')} ${version}`);
}

/** Run level 1 keeps the older init scripts from starting what a package brings. @param {string} name */
async function aptInstall(name) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options = {
    log: 'apt',
    sentence: `apt could not install ${name}; try: apt-get install ${name}.`,
    env,
  };
  await run('apt-get', ['update'], options);
  await run('apt-get', ['install', '-y', '--no-install-recommends', name], options);
}

// Debian keeps servers in sbin for some versions, and a user's PATH may leave it out.
const searched = () => [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];

const find = (names, directories = searched()) =>
  names
    .flatMap((name) => directories.map((directory) => path.join(directory || '.', name)))
    .find(isExecutable);

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const isDebian = () =>
  existsSync('/etc/os-release') &&
  /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));

function advice() {
  if (process.platform === 'darwin') return 'Install it with: brew install redis.';
  if (isDebian()) return 'Install it with: sudo apt-get install redis-server.';
  if (existsSync('/etc/fedora-release')) return 'Install it with: sudo dnf install valkey.';
  if (existsSync('/etc/alpine-release')) return 'Install it with: apk add redis.';
  return 'Install redis-server or valkey-server with your package manager.';
}
