import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.mjs';
import { inRoot } from './paths.mjs';

/**
 * The compiled test files, all of them or those that a pattern names: a source path, a part of one, or a glob
 * (`services/gateway/**`, `test/contract`, `quota`). Those that start whole stacks lie under `test` and come first: a
 * long one that came last would keep one core waiting for the other.
 * @param {string[]} patterns
 * @returns {string[]} relative to the checkout
 */
export function findTestFiles(patterns) {
  const files = testDirectories()
    .flatMap((directory) => [...testsUnder(directory)])
    .sort()
    .reverse();
  if (patterns.length === 0) return files;
  const wanted = patterns.map(toMatcher);
  const chosen = files.filter((file) => wanted.some((matches) => matches(sourceOf(file)) || matches(file)));
  if (chosen.length === 0) throw new Failure(`No test file fits ${patterns.join(' ')}.`);
  return chosen;
}

function testDirectories() {
  const members = ['packages', 'services'].flatMap((group) =>
    existsSync(inRoot(group))
      ? readdirSync(inRoot(group)).map((name) => path.join(group, name, 'dist/test'))
      : [],
  );
  return [...members, 'test/dist'].filter((directory) => existsSync(inRoot(directory)));
}

function* testsUnder(directory) {
  for (const entry of readdirSync(inRoot(directory), { withFileTypes: true })) {
    const name = path.join(directory, entry.name);
    if (entry.isDirectory()) yield* testsUnder(name);
    else if (name.endsWith('.test.js')) yield name;
  }
}

/** As its author knows it: `services/gateway/dist/test/check.test.js` is `services/gateway/test/check.test.ts`. */
export const sourceOf = (file) => file.replace(/(^|\/)dist\//, '$1').replace(/\.js$/, '.ts');

/** @returns {(file: string) => boolean} */
function toMatcher(pattern) {
  const plain = pattern.replace(/^\.\//, '');
  if (!/[*?]/.test(plain)) return (file) => file.includes(plain);
  const source = plain
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?|\*|\?/g, (token) => (token === '*' ? '[^/]*' : token === '?' ? '[^/]' : '.*'));
  const expression = new RegExp(`^${source}$`);
  return (file) => expression.test(file);
}
