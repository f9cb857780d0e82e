import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import { Failure } from './failure.js';
import { runCommand } from './run-command.js';

/**
 * The Redis (or Valkey) server of this machine. No npm package ships one, so on Debian and Ubuntu root gets it from
 * apt; everybody else gets the command to type.
 */
export async function findRedisBinary(
  note: (detail: string) => void,
): Promise<{ readonly file: string; readonly label: string }> {
  let file = onPath('redis-server') ?? onPath('valkey-server');
  if (!file && isDebian() && process.getuid?.() === 0) {
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

function onPath(name: string): string | undefined {
  // Debian keeps servers in sbin for some versions, and a user's PATH may leave it out.
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return directories.map((directory) => resolve(join(directory || '.', name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function installWithApt(): Promise<void> {
  const sentence = 'Redis is needed and apt could not install it; try: apt-get install redis-server.';
  // The package would start a server of its own on 6379, which is not ours to occupy. Two ways to say no: a mask
  // until it is installed, for systemd; run level 1, for the older init scripts.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const systemctl = (verb: 'mask' | 'unmask') =>
    existsSync('/run/systemd/system') && spawnSync('systemctl', [verb, '--runtime', 'redis-server.service']);
  systemctl('mask');
  try {
    await runCommand('apt-get', ['update'], { sentence, env });
    const args = ['install', '-y', '--no-install-recommends', 'redis-server'];
    await runCommand('apt-get', args, { sentence, env });
  } finally {
    systemctl('unmask');
  }
}

const isDebian = (): boolean =>
  existsSync('/etc/os-release') &&
  /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));

function advice(): string {
  if (process.platform === 'darwin') return 'Install it with: brew install redis.';
  if (isDebian()) return 'Install it with: sudo apt-get install redis-server.';
  if (existsSync('/etc/fedora-release')) return 'Install it with: sudo dnf install valkey.';
  if (existsSync('/etc/alpine-release')) return 'Install it with: apk add redis.';
  return 'Install redis-server or valkey-server with your package manager.';
}
