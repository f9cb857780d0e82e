import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { canInstall, installDebianPackage, isDebian } from './debian-package.js';
import { Failure } from './failure.js';
import { onPath } from './on-path.js';

/**
 * The Redis (or Valkey) server of this machine. No npm package ships one, so on Debian and Ubuntu root gets it from
 * apt; everybody else gets the command to type.
 */
export async function findRedisBinary(
  note: (detail: string) => void,
): Promise<{ readonly file: string; readonly label: string }> {
  let file = onPath('redis-server') ?? onPath('valkey-server');
  if (!file && canInstall()) {
    note('installing redis-server with apt');
    await installWithApt();
    file = onPath('redis-server');
  }
  if (!file) throw new Failure(`Redis is needed. ${advice()} Or set REDIS_URL to a server you have.`);
  const version = /v=([\d.]+)/.exec(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
  const label = `${basename(file).replace('-server', '')} ${version ?? ''}`.trim();
  note(label);
  return { file, label };
}

async function installWithApt(): Promise<void> {
  const sentence = 'Redis is needed and apt could not install it; try: apt-get install redis-server.';
  // The package would start a server of its own on 6379, which is not ours to occupy: a mask until it is installed says
  // no to systemd.
  const systemctl = (verb: 'mask' | 'unmask') =>
    existsSync('/run/systemd/system') && spawnSync('systemctl', [verb, '--runtime', 'redis-server.service']);
  systemctl('mask');
  try {
    await installDebianPackage('redis-server', sentence);
  } finally {
    systemctl('unmask');
  }
}

function advice(): string {
  if (process.platform === 'darwin') return 'Install it with: brew install redis.';
  if (isDebian()) return 'Install it with: sudo apt-get install redis-server.';
  if (existsSync('/etc/fedora-release')) return 'Install it with: sudo dnf install valkey.';
  if (existsSync('/etc/alpine-release')) return 'Install it with: apk add redis.';
  return 'Install redis-server or valkey-server with your package manager.';
}
