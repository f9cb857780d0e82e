import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { runCommand } from './run-command.js';

/** Debian keeps some servers in sbin, which a user's PATH may leave out. */
const FIND = 'PATH=$PATH:/usr/sbin:/usr/local/sbin; for name; do command -v "$name" && exit; done';

/** A mask, and run level 1 for older init scripts, keep the package from starting a server on its usual port. */
const INSTALL = `systemctl mask --runtime "$1" 2>/dev/null
apt-get update && apt-get install -y --no-install-recommends "$1"
code=$?
systemctl unmask --runtime "$1" 2>/dev/null
exit $code`;
const ENVIRONMENT = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
const LOCK = '/tmp/verdict-apt.lock';

/**
 * Finds the first of these programs; root on Debian or Ubuntu gets a missing one from apt. Test files run side by side
 * and may miss the same program, so a lock lets one of them install at a time.
 */
export async function findProgram(
  names: readonly string[],
  debianPackage: string,
  note: (detail: string) => void = () => {},
): Promise<string | null> {
  const found = onPath(names);
  if (found || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return found;
  note(`installing ${debianPackage} with apt`);
  await runCommand('flock', [LOCK, 'sh', '-c', INSTALL, 'sh', debianPackage], {
    sentence: `apt could not install ${debianPackage}.`,
    env: ENVIRONMENT,
  });
  return onPath(names);
}

const onPath = (names: readonly string[]): string | null =>
  spawnSync('sh', ['-c', FIND, 'sh', ...names], { encoding: 'utf8' }).stdout.trim() || null;
