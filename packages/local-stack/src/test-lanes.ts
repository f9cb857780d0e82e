import { readdirSync, readFileSync } from 'node:fs';
import { inRoot } from './paths.js';

/** `fast`: what a change is tried with. `usual`: what `npm test` runs. `all`: also what takes minutes. */
export type Lane = 'fast' | 'usual' | 'all';

/** Only in `all`: long forms, clusters, and settings that few change. */
const LONG = new RegExp(
  [
    'test/failure/(?!power-loss|two-clocks|redis-lost)',
    'test/cluster/',
    'test/start/',
    'test/resilience/(slow-domains|start-up)',
    'test/operations/(restore-drill|traces|fresh-lists|redis-tls|redis-acl)',
    'test/security/(fuzz|idle-connections|beside-attacks)',
    'test/browser/people',
    'packages/redis-store/test/(silent-redis|sentinel)',
    'packages/queues/test/unreachable-shard',
    'services/control-plane/test/login-timing',
    'services/worker/test/outage',
  ]
    .map((part) => `^${part}`)
    .join('|'),
);

/** In `fast`: tests beside the code that need neither Postgres nor a service as a process. */
const FAST =
  /^packages\/(?!db\/|metering\/|datasets\/test\/update)|^services\/(gateway|scoring|dashboard)\/(?!test\/(watch-backlog|statuses|wrong-verdicts|releases))|^services\/worker\/test\/(webhook-targets|waiting-jobs|bulk|statement-size)|^test\/(architecture|docs)\//;

/** The source files of the tests in a lane. Whole stacks are spread among the rest: side by side they starve each other. */
export function filesIn(lane: Lane): string[] {
  const isIn = {
    all: () => true,
    usual: (file: string) => !LONG.test(file),
    fast: (file: string) => FAST.test(file) && !LONG.test(file),
  };
  const files = allTests().filter(isIn[lane]);
  const places = [files.filter(isWholeStack), files.filter((file) => !isWholeStack(file))].flatMap((kind) =>
    kind.map((file, i) => ({ file, place: i / kind.length })),
  );
  return places.sort((a, b) => a.place - b.place).map(({ file }) => file);
}

const isWholeStack = (file: string): boolean => file.startsWith('test/');

/** Files whose path contains one of the patterns; `*` matches anything. */
export function filesLike(patterns: readonly string[]): string[] {
  const quote = (text: string) => text.replace(/^\.\//, '').replace(/[.+^${}()|[\]\\?]/g, '\\$&');
  const wanted = patterns.map((pattern) => new RegExp(pattern.split('*').map(quote).join('.*')));
  return allTests().filter((file) => wanted.some((one) => one.test(file)));
}

const allTests = (): string[] =>
  readdirSync(inRoot('dist/tools'))
    .filter((name) => name.endsWith('.test.js'))
    .map(sourceOf)
    .sort();

/** `packages.domain.test.id.test.js` was `packages/domain/test/id.test.ts`. */
export const sourceOf = (name: string): string =>
  `${name.replace(/\.test\.js$/, '').replaceAll('.', '/')}.test.ts`;
export const builtFile = (source: string): string =>
  inRoot('dist/tools', `${source.replace(/\.ts$/, '').replaceAll('/', '.')}.js`);

/** Beside what they test, and those that only read files: their coverage is counted. */
export const isBesideCode = (file: string): boolean =>
  /^(packages|services)\/|^test\/(architecture|docs)\//.test(file);

/** Whether the file uses the stack that the run starts once. */
export const sharesStack = (file: string): boolean =>
  /\bopen(Stack|ContractTarget)\(/.test(readFileSync(inRoot(file), 'utf8'));
