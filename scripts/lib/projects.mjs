import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

/** The folders that have a package.json, relative to the checkout. */
export function projects() {
  const members = ['packages', 'services'].flatMap((group) =>
    readdirSync(inRoot(group)).map((name) => path.join(group, name)),
  );
  return ['.', 'test', 'bench', ...members].filter((one) => existsSync(inRoot(one, 'package.json')));
}

/** @param {string} directory @returns {Generator<string>} every file below, without what others installed or made */
export function* filesBelow(directory, leaveOut = ['node_modules', 'dist']) {
  if (!existsSync(directory)) return;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const full = path.join(directory, entry.name);
    if (!entry.isDirectory()) yield full;
    else if (!leaveOut.includes(entry.name)) yield* filesBelow(full, leaveOut);
  }
}
