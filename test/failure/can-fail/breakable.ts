import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** Ways to break an export: its results become others of the same kind, or nothing, or a call throws. */
export const WAYS = ['wrong', 'nothing', 'throws'] as const;
export type Way = (typeof WAYS)[number];

/** The export that a process breaks, and the way. */
export const BROKEN = 'BROKEN_EXPORT';
/** The folder into which each process writes the exports that it calls, each with the tests that ran meanwhile. */
export const CALLED = 'CALLED_EXPORTS';
/** Called while no test ran, so each of them may need it. */
export const BETWEEN = 'between tests';
/** Called in a program that a test started. */
export const IN_A_PROGRAM = 'in a program';

const [broken, way] = (process.env[BROKEN] ?? '').split(' ');
const folder = process.env[CALLED];
const isTest = /\.test\.js$/.test(process.argv[1] ?? '');
const called = new Map<string, Set<string>>();
const running = new Set<string>();
/** Another one whenever other tests run. */
let turn = 0;
if (folder && isMainThread) await noteCalls(join(folder, `${process.pid}.json`));

/** Returns the export as it is, or broken if the environment names it. */
export function breakable(name: string, value: unknown): unknown {
  const isFunction = typeof value === 'function';
  if (folder) {
    let seenIn = -1;
    const noted = (whole: () => unknown) => {
      if (seenIn !== turn) note(name);
      seenIn = turn;
      return whole();
    };
    return isFunction ? calling(value, noted) : noted(() => value);
  }
  if (name !== broken) return value;
  if (isFunction) return calling(value, result);
  return way === 'wrong' ? other(value) : value;
}

function note(name: string): void {
  const tests = called.get(name) ?? new Set();
  for (const test of running.size > 0 ? running : [isTest ? BETWEEN : IN_A_PROGRAM]) tests.add(test);
  called.set(name, tests);
}

async function noteCalls(file: string): Promise<void> {
  if (isTest) {
    const { default: t } = await import('tap');
    t.beforeEach(({ name }) => {
      running.add(name);
      turn++;
    });
    t.afterEach(({ name }) => {
      running.delete(name);
      turn++;
    });
  }
  const tests = () => [...called].map(([name, of]) => [name, [...of]]);
  process.once('exit', () => writeFileSync(file, JSON.stringify(tests())));
}

/** The function or class with something else around each call. */
const calling = (value: object, act: (whole: () => unknown) => unknown) =>
  new Proxy(value, {
    apply: (target, self, args) => act(() => Reflect.apply(target as () => unknown, self, args)),
    construct: (target, args) => Object(act(() => Reflect.construct(target as new () => object, args))),
  });

function result(whole: () => unknown): unknown {
  if (way === 'throws') throw new TypeError('broken on purpose');
  return way === 'nothing' ? undefined : other(whole());
}

const DEPTH_MAX = 2;
/** A function that makes one that makes another is broken where it ends. */
const FUNCTION_DEPTH_MAX = 4;

/** Another value of the same kind. A connection or another object with a class stays, because tests have to close it. */
function other(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'boolean':
      return !value;
    case 'number':
      return value + 1;
    case 'bigint':
      return value + 1n;
    case 'string':
      return `${value}?`;
    case 'function':
      return depth > FUNCTION_DEPTH_MAX ? value : (...args: unknown[]) => other(value(...args), depth + 1);
    case 'undefined':
      return undefined;
  }
  if (value === null) return {};
  if (value instanceof Promise) return value.then((settled) => other(settled, depth));
  if (value instanceof RegExp) return /(?!)/;
  if (value instanceof Date) return new Date(value.getTime() + 86_400_000);
  if (value instanceof Set) return new Set();
  if (value instanceof Map) return new Map();
  if (Array.isArray(value)) {
    if (value.length === 0) return [undefined];
    return value.length === 1 ? [] : [...value.slice(1), value.at(-1)];
  }
  if (depth > DEPTH_MAX || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [name, other(one, depth + 1)]),
  );
}
