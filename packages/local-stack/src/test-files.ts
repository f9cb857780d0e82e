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
      (!fast || isQuick(file)) &&
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

/** Beside what they test, and those that only read files; what they run is what coverage counts. */
export const isBesideCode = (file: string): boolean =>
  /^(packages|services)\/|^test\/dist\/(architecture|docs)\//.test(file);

/** Of these, those that need no more than their own process and a store or two. */
export const isUnit = (file: string): boolean => isBesideCode(file) && !MANY_PROCESSES.test(sourceOf(file));

const MANY_PROCESSES =
  /^services\/(operator-cli|control-plane\/test\/start|worker\/test\/(outage|billing-races|refusing-database))/;

/** Units that need not wait, for an outage to end or for enough logins to be timed. */
const isQuick = (file: string): boolean => isUnit(file) && !WAITS.test(sourceOf(file));

const WAITS =
  /^packages\/(queues\/test\/unreachable-shard|redis-store\/test\/silent-redis)|^services\/(control-plane\/test\/login-timing|gateway\/test\/watch-backlog|worker\/test\/webhooks)/;

/** More of them in one process would keep the other sides waiting for the last. */
const ROOM_SIZE = 8;

/** Which files share a process: those that load the same. */
export function roomsOf(files: readonly string[]): string[][] {
  const rooms: string[][] = [];
  for (const file of files) {
    const room = rooms.at(-1);
    if (room?.[0] && subjectOf(room[0]) === subjectOf(file) && room.length < ROOM_SIZE) room.push(file);
    else rooms.push([file]);
  }
  return rooms;
}

/** What a file is beside, or what its stack is asked for. Whoever breaks things or holds a browser is alone. */
function subjectOf(file: string): string {
  if (isUnit(file)) return file.split('/', 2).join('/');
  return STACK_ASKED.exec(file)?.[0] ?? file;
}

const STACK_ASKED = /^test\/dist\/(contract|control|operations|resilience|sdk|security)\//;
