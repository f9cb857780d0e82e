import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.js';
import { inRoot } from './paths.js';
import type { TestOptions } from './test-options.js';

/**
 * The compiled test files, all of them or those whose source path holds one of the patterns (`services/gateway`, `quota`,
 * `worker*races`). Those that start whole stacks lie under `test` and come first: a long one that came last would keep
 * one core waiting for the other.
 */
export function findTestFiles({ patterns, fast }: TestOptions): string[] {
  const members = ['packages', 'services'].flatMap((group) =>
    readdirSync(inRoot(group)).map((name) => join(group, name, 'dist/test')),
  );
  const files = [...members, 'test/dist'].flatMap(testsBelow).sort().reverse();
  const wanted = patterns.map((pattern) => new RegExp(pattern.split('*').map(quote).join('.*')));
  const chosen = files.filter(
    (file) =>
      (!fast || isUnit(file)) &&
      (wanted.length === 0 || wanted.some((one) => one.test(sourceOf(file)) || one.test(file))),
  );
  if (chosen.length === 0) throw new Failure(`No test file fits ${patterns.join(' ')}.`);
  return chosen;
}

function testsBelow(directory: string): string[] {
  if (!existsSync(inRoot(directory))) return [];
  return readdirSync(inRoot(directory), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join(directory, name));
}

const quote = (text: string): string => text.replace(/^\.\//, '').replace(/[.+^${}()|[\]\\?]/g, '\\$&');

/** As its author knows it: `services/gateway/dist/test/check.test.js` is `services/gateway/test/check.test.ts`. */
export const sourceOf = (file: string): string => file.replace(/(^|\/)dist\//, '$1').replace(/\.js$/, '.ts');

/** Beside what they test, and those that only read files. */
export const isUnit = (file: string): boolean =>
  /^(packages|services)\/|^test\/dist\/(architecture|docs)\//.test(file) && !SLOW.test(sourceOf(file));

/** Those that start many processes or wait out an outage are left to the run of everything. */
const SLOW =
  /^services\/(operator-cli|control-plane\/test\/start|worker\/test\/(outage|billing-races|refusing-database))/;
