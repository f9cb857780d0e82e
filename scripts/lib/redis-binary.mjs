import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { canInstall, installDebianPackage, isDebian } from './debian-package.mjs';
import { Failure } from './failure.mjs';
import { onPath } from './on-path.mjs';

/**
 * The Redis (or Valkey) server of this machine. No npm package ships one, so on Debian and Ubuntu root gets it from
 * apt; everybody else gets the command to type.
 * @param {(detail: string) => void} note
 * @returns {Promise<{ file: string, label: string }>}
 */
export async function findRedisBinary(note) {
  let file = onPath('redis-server') ?? onPath('valkey-server');
  if (!file && canInstall()) {
    note('installing redis-server with apt');
    await installWithApt();
    file = onPath('redis-server');
  }
  if (!file) throw new Failure(`Redis is needed. ${advice()} Or set REDIS_URL to a server you have.`);
  const version = /v=([\d.]+)/.exec(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
  return { file, label: `${path.basename(file).replace('-server', '')} ${version ?? ''}`.trim() };
}

async function installWithApt() {
  // The package would start a server of its own on 6379, which is not ours to occupy: a mask until it is installed says
  // no to systemd.
  const systemd = existsSync('/run/systemd/system');
  if (systemd) spawnSync('systemctl', ['mask', '--runtime', 'redis-server.service']);
  try {
    await installDebianPackage(
      'redis-server',
      'Redis is needed and apt could not install it; try: apt-get install redis-server.',
    );
  } finally {
    if (systemd) spawnSync('systemctl', ['unmask', '--runtime', 'redis-server.service']);
  }
}

function advice() {
  if (process.platform === 'darwin') return 'Install it with: brew install redis.';
  if (isDebian()) return 'Install it with: sudo apt-get install redis-server.';
  if (existsSync('/etc/fedora-release')) return 'Install it with: sudo dnf install valkey.';
  if (existsSync('/etc/alpine-release')) return 'Install it with: apk add redis.';
  return 'Install redis-server or valkey-server with your package manager.';
}
