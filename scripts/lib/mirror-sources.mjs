import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

const DASHBOARD = inRoot('services/dashboard');

/**
 * `tsc -b` neither removes the output of a deleted source nor notices an output that went missing. The first would
 * keep a deleted test running, the second would leave a hole; both are set right here before it runs.
 */
export function mirrorSources() {
  for (const project of projects()) {
    const dist = path.join(project, 'dist');
    if (!existsSync(dist)) continue;
    for (const file of filesUnder(dist)) {
      const source = sourceOf(project, path.relative(dist, file));
      if (source && !existsSync(source)) rmSync(file);
    }
    const complete = [...filesUnder(project)]
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && isSource(project, file))
      .every((file) => existsSync(path.join(dist, path.relative(project, file).replace(/\.ts$/, '.js'))));
    if (!complete) rmSync(path.join(dist, 'tsconfig.tsbuildinfo'), { force: true });
  }
}

/** Every project that the root tsconfig would compile; the dashboard it only checks, and its dist is Vite's. */
function projects() {
  const groups = ['packages', 'services'].filter((group) => existsSync(inRoot(group)));
  const members = groups.flatMap((group) => readdirSync(inRoot(group)).map((name) => inRoot(group, name)));
  return [...members.filter((project) => project !== DASHBOARD), inRoot('test')];
}

/** @param {string} output relative to dist */
function sourceOf(project, output) {
  const stem = /^(.*)(?:\.js|\.d\.ts)(?:\.map)?$/.exec(output)?.[1];
  return stem === undefined ? null : path.join(project, `${stem}.ts`);
}

function isSource(project, file) {
  const [top] = path.relative(project, file).split(path.sep);
  return project === inRoot('test') || top === 'src' || top === 'test';
}

/** @returns {Generator<string>} */
function* filesUnder(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const full = path.join(directory, entry.name);
    if (!entry.isDirectory()) yield full;
    else if (entry.name !== 'node_modules' && (entry.name !== 'dist' || directory.endsWith('dist'))) {
      yield* filesUnder(full);
    }
  }
}
