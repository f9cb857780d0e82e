import { spawnSync } from 'node:child_process';
import { Failure } from './failure.mjs';

/**
 * Postgres refuses to run as root, so root hands it to an account without rights. Null means: as ourselves.
 * @returns {{ uid: number, gid: number, user: string } | null}
 */
export function postgresAccount() {
  if (process.getuid?.() !== 0) return null;
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, user], { encoding: 'utf8' }));
    if (uid.status === 0 && gid.status === 0)
      return { uid: Number(uid.stdout), gid: Number(gid.stdout), user };
  }
  throw new Failure(
    'Postgres does not run as root, and there is neither a user postgres nor nobody to run it.',
  );
}

/**
 * Asks the system itself, as that user: modes, groups and access lists all count.
 * @param {{ uid: number, gid: number } | null} account
 * @param {string} command
 * @param {string[]} args
 */
export function succeedsAs(account, command, args) {
  const identity = account ? { uid: account.uid, gid: account.gid } : {};
  return spawnSync(command, args, { cwd: '/', stdio: 'ignore', ...identity }).status === 0;
}
