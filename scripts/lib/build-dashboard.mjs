import path from 'node:path';
import { compressFiles } from './compress-files.mjs';
import { once } from './once.mjs';
import { inRoot, root } from './paths.mjs';
import { filesBelow } from './projects.mjs';
import { run } from './run.mjs';

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
  const sources = SOURCES.flatMap((directory) => [...filesBelow(inRoot(directory))])
    .map((file) => path.relative(root, file))
    .sort();
  const decidedBy = { files: [...sources, ...FILES], result: `${HOME}/dist/web/index.html` };
  await once('dashboard', decidedBy, async () => {
    await run(process.execPath, [inRoot(HOME, 'node_modules/vite/bin/vite.js'), 'build', inRoot(HOME)], {
      log: 'build',
      sentence: 'The dashboard could not be built.',
      env: { ...process.env, NODE_ENV: 'production' },
    });
    await compressFiles(inRoot(HOME, 'dist/web'));
  });
}
