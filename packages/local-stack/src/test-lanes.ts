import { readdirSync, readFileSync } from 'node:fs';
import { programName } from '../../../scripts/lib/program-name.mjs';
import { inRoot } from './paths.js';

/** `fast`: what a change is tried with. `usual`: what `npm test` runs. `all`: everything. */
export type Lane = 'fast' | 'usual' | 'all';

/** In `fast`: tests beside the code that need neither Postgres nor a service as a process, and wait for no time-out. */
const FAST = beginsWith(
  'packages/(?!db/|metering/|local-stack/|sdk-conformance/|datasets/test/(build|update)|admission/test/replica-wait|redis-store/test/(silent-redis|sentinel)|queues/test/(check-log-consumer|unreachable-shard))',
  'services/(gateway|scoring|dashboard)/(?!test/(watch-backlog|statuses|wrong-verdicts|releases))',
  'services/worker/test/(webhook-targets|waiting-jobs|bulk/pace)',
  'test/(architecture|docs)/',
);

/** Also in `usual`: what stores and bills, keys and sessions, the contract, a browser, and the main failures. */
const MAIN = beginsWith(
  'packages/(db|metering|local-stack|sdk-conformance)/',
  'packages/(admission/test/replica-wait|queues/test/check-log-consumer|datasets/test/build)',
  'services/control-plane/test/(auth|keys|key-terms|sessions|lists|plan-changes|jobs)\\.',
  'services/operator-cli/test/month-end',
  'services/worker/test/(persist|policies|webhooks|bulk-recovery|bulk/upkeep|statement-size)\\.',
  'test/contract/',
  'test/browser/first-hour',
  'test/failure/(power-loss|two-clocks|redis-lost)',
);

/** The source files of the tests in a lane. */
export function filesIn(lane: Lane): string[] {
  const isIn = {
    all: () => true,
    usual: (file: string) => FAST.test(file) || MAIN.test(file),
    fast: (file: string) => FAST.test(file),
  };
  return allTests().filter(isIn[lane]);
}

function beginsWith(...beginnings: readonly string[]): RegExp {
  return new RegExp(`^(${beginnings.join('|')})`);
}

/** Files whose path contains one of the words. */
export const filesLike = (words: readonly string[]): string[] =>
  allTests().filter((file) => words.some((word) => file.includes(word.replace(/^\.\//, ''))));

const allTests = (): string[] =>
  readdirSync(inRoot('dist/tools'))
    .filter((name) => name.endsWith('.test.js'))
    .map(sourceOf)
    .sort();

/** `packages.domain.test.id.test.js` was `packages/domain/test/id.test.ts`. */
const sourceOf = (name: string): string => `${name.replace(/\.test\.js$/, '').replaceAll('.', '/')}.test.ts`;
export const builtFile = (source: string): string => inRoot('dist/tools', `${programName(source)}.js`);

/** Beside what they test, and those that only read files; the others run whole stacks. */
export const isBesideCode = (file: string): boolean =>
  /^(packages|services)\/|^test\/(architecture|docs)\//.test(file);

/**
 * Browser files too share a process, with a stack and a browser. The others change or measure what a process has once, or
 * wait most of the time.
 */
export const sharesProcess = (file: string): boolean =>
  (isBesideCode(file) || /^test\/browser\/(?!bundle-size)/.test(file)) &&
  !/^services\/(operator-cli\/|worker\/test\/idle)|^packages\/(metering\/test\/run-tasks|sdk-conformance\/)/.test(
    file,
  ) &&
  !setsRoot(file);

/** Whether the file sets something on tap's root, such as tests side by side: that holds for all files of a process. */
const setsRoot = (file: string): boolean =>
  /^t\.(jobs = |beforeEach|afterEach)/m.test(readFileSync(inRoot(file), 'utf8'));

/** Whether the file uses the stack that the run starts once. */
export const sharesStack = (file: string): boolean =>
  /\bopen(Stack|ContractTarget)\(/.test(readFileSync(inRoot(file), 'utf8'));
