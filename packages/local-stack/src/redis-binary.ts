import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { canInstall, installDebianPackage } from './debian-package.js';
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
  // scripts/lib/require-redis.mjs has said how to get one before anything was built.
  if (!file) throw new Failure('Redis is needed: install redis-server or valkey-server.');
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
