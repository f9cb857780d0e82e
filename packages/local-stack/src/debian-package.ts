import { existsSync, readFileSync } from 'node:fs';
import { runCommand } from './run-command.js';

const isDebian = (): boolean =>
  existsSync('/etc/os-release') &&
  /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));

/** Whether a package can be installed without asking anybody. */
export const canInstall = (): boolean => isDebian() && process.getuid?.() === 0;

/** Installs a package with apt. Run level 1 keeps the older init scripts from starting what it brings. */
export async function installDebianPackage(name: string, sentence: string): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await runCommand('apt-get', ['update'], { sentence, env });
  await runCommand('apt-get', ['install', '-y', '--no-install-recommends', name], { sentence, env });
}
