import { existsSync } from 'node:fs';
import { logFileFor } from './log-file.mjs';
import { inRoot } from './paths.mjs';
import { pinnedPnpm, pnpm } from './pnpm.mjs';
import { fingerprintOf, isUpToDate, markDone, packageFiles } from './stamp.mjs';

/** Installs exactly what the lockfile names; nothing when that was done before. @param {(detail: string) => void} note */
export async function install(note) {
  const fingerprint = fingerprintOf(
    ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...packageFiles()],
    [process.version, process.platform, process.arch],
  );
  const label = pinnedPnpm().replace('@', ' ');
  if (isUpToDate('install', fingerprint) && existsSync(inRoot('node_modules', '.modules.yaml'))) {
    note(`${label}, up to date`);
    return;
  }
  note(`${label}, frozen lockfile`);
  await pnpm(['install', '--frozen-lockfile'], {
    log: logFileFor('install'),
    sentence: 'The dependencies could not be installed (the first time needs the npm registry).',
  });
  markDone('install', fingerprint);
}
