import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.mjs';
import { logFileFor } from './log-file.mjs';
import { run } from './run.mjs';

/**
 * The Redis (or Valkey) server of this machine. No npm package ships one, so on Debian and Ubuntu root gets it from
 * apt; everybody else gets the command to type.
 * @param {(detail: string) => void} note
 * @returns {Promise<{ file: string, label: string }>}
 */
export async function findRedisBinary(note) {
  let file = onPath('redis-server') ?? onPath('valkey-server');
  if (!file && isDebian() && process.getuid?.() === 0) {
    note('installing redis-server with apt');
    await installWithApt();
    file = onPath('redis-server');
  }
  if (!file) throw new Failure(`Redis is needed. ${advice()} Or set REDIS_URL to a server you have.`);
  const version = /v=([\d.]+)/.exec(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
  return { file, label: `${path.basename(file).replace('-server', '')} ${version ?? ''}`.trim() };
}

function onPath(name) {
  // Debian keeps servers in sbin for some versions, and a user's PATH may leave it out.
  const directories = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  for (const directory of directories) {
    const file = path.join(directory || '.', name);
    try {
      accessSync(file, constants.X_OK);
      return path.resolve(file);
    } catch {
      // look further
    }
  }
  return undefined;
}

async function installWithApt() {
  const log = logFileFor('apt');
  const sentence = 'Redis is needed and apt could not install it; try: apt-get install redis-server.';
  // The package would start a server of its own on 6379, which is not ours to occupy. Two ways to say no: a mask
  // until it is installed, for systemd; run level 1, for the older init scripts.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const systemd = existsSync('/run/systemd/system');
  if (systemd) spawnSync('systemctl', ['mask', '--runtime', 'redis-server.service']);
  try {
    await run('apt-get', ['update'], { log, sentence, env });
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], {
      log,
      sentence,
      env,
    });
  } finally {
    if (systemd) spawnSync('systemctl', ['unmask', '--runtime', 'redis-server.service']);
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
