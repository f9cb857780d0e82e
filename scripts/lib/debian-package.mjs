import { existsSync, readFileSync } from 'node:fs';
import { logFileFor } from './log-file.mjs';
import { run } from './run.mjs';

export const isDebian = () =>
  existsSync('/etc/os-release') &&
  /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));

/** Whether a package can be installed without asking anybody. */
export const canInstall = () => isDebian() && process.getuid?.() === 0;

/**
 * Installs a package with apt. RUNLEVEL 1 keeps the older init scripts from starting what it brings.
 * @param {string} name
 * @param {string} sentence told when it fails
 */
export async function installDebianPackage(name, sentence) {
  const log = logFileFor('apt');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await run('apt-get', ['update'], { log, sentence, env });
  await run('apt-get', ['install', '-y', '--no-install-recommends', name], { log, sentence, env });
}
