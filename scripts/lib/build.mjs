import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildDashboard } from './build-dashboard.mjs';
import { pnpm } from './install.mjs';
import { once } from './once.mjs';
import { inRoot } from './paths.mjs';
import { filesBelow } from './projects.mjs';
import { run } from './run.mjs';

/** What vite bundles tsc only checks: what lies in its dist has no source beside it. */
const CHECKED_ONLY = 'services/dashboard';

/** The same as `pnpm build`, leaving out what is up to date. @param {(detail: string) => void} note */
export async function build(note) {
  note('database client');
  const schema = {
    files: ['prisma/schema.prisma', 'packages/db/package.json', 'pnpm-lock.yaml'],
    result: 'packages/db/src/generated',
  };
  await once('generate', schema, () =>
    pnpm(['--filter', '@verdict/db', 'generate'], {
      log: 'build',
      sentence: 'The database client could not be generated.',
    }),
  );
  note('types');
  for (const { path: project } of JSON.parse(readFileSync(inRoot('tsconfig.json'), 'utf8')).references) {
    if (project === CHECKED_ONLY) continue;
    mirror(inRoot(project), project === 'test' ? ['.'] : ['src', 'test']);
  }
  await run(process.execPath, [inRoot('node_modules/@typescript/native/bin/tsc'), '-b'], {
    log: 'build',
    sentence: 'The build failed.',
  });
  note('dashboard');
  await buildDashboard();
  note('types, database client, dashboard');
}

/**
 * `tsc -b` neither removes the output of a deleted source nor notices an output that went missing. The first would
 * keep a deleted test running, the second would leave a hole; both are set right before it runs.
 * @param {string} project
 * @param {string[]} folders where every source has an output
 */
function mirror(project, folders) {
  const dist = path.join(project, 'dist');
  for (const file of filesBelow(dist, [])) {
    const stem = /^(.*)(?:\.js|\.d\.ts)(?:\.map)?$/.exec(path.relative(dist, file))?.[1];
    if (stem !== undefined && !existsSync(path.join(project, `${stem}.ts`))) rmSync(file);
  }
  const isWhole = folders
    .flatMap((folder) => [...filesBelow(path.join(project, folder))])
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .every((file) => existsSync(path.join(dist, path.relative(project, file).replace(/\.ts$/, '.js'))));
  if (!isWhole) rmSync(path.join(dist, 'tsconfig.tsbuildinfo'), { force: true });
}
