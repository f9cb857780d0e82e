import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { compressFiles } from './compress-files.mjs';
import { logFileFor } from './log-file.mjs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { fingerprintOf, isUpToDate, markDone } from './stamp.mjs';

const HOME = 'services/dashboard';
const SOURCES = [`${HOME}/src`, `${HOME}/public`, 'packages/contracts/src'];
const FILES = [
  `${HOME}/index.html`,
  `${HOME}/vite.config.ts`,
  `${HOME}/package.json`,
  'pnpm-lock.yaml',
  'scripts/lib/build-dashboard.mjs',
  'scripts/lib/compress-files.mjs',
];

/** Bundles the dashboard and lays compressed copies beside its files; nothing when neither has changed. */
export async function buildDashboard() {
  const fingerprint = fingerprintOf([...SOURCES.flatMap(filesUnder), ...FILES]);
  const output = inRoot(HOME, 'dist/web');
  if (isUpToDate('dashboard', fingerprint) && existsSync(path.join(output, 'index.html'))) return;
  await run(process.execPath, [inRoot(HOME, 'node_modules/vite/bin/vite.js'), 'build'], {
    log: logFileFor('build'),
    sentence: 'The dashboard could not be built.',
    cwd: inRoot(HOME),
    env: { ...process.env, NODE_ENV: 'production' },
  });
  await compressFiles(output);
  markDone('dashboard', fingerprint);
}

/** Relative to the checkout, in an order that does not depend on the disk. @param {string} directory */
function filesUnder(directory) {
  return readdirSync(inRoot(directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(inRoot('.'), path.join(entry.parentPath, entry.name)))
    .sort();
}
