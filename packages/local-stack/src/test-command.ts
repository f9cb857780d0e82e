import { hash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Failure } from '../../../scripts/lib/failure.mjs';
import { createProgress } from '../../../scripts/lib/progress.mjs';
import { run } from '../../../scripts/lib/run.mjs';
import { interrupted, listenForInterrupt } from './interrupt.js';
import { writeJson } from './json-file.js';
import { measureCoverage, RECORDED } from './measure-coverage.js';
import { startSharedStack } from './open-stack.js';
import { inData } from './paths.js';
import { type Count, runTests } from './run-tests.js';
import { filesIn, filesLike, isBesideCode, sharesStack } from './test-lanes.js';
import { ownProcesses, sharedProcesses } from './test-programs.js';
import { SHARED_FILE, type Shared, sharedRun, startTestServer } from './test-server.js';

/**
 * `npm test -- [--all | --fast] [--no-checks] [--seed N] [part of a path ...]`. All is what CI runs, with coverage; fast
 * needs no database (`npm run test:fast`); the checks are types and lint; a seed shuffles the files.
 */
const OPTIONS = {
  all: { type: 'boolean' },
  fast: { type: 'boolean' },
  checks: { type: 'boolean', default: true },
  seed: { type: 'string' },
} as const;

const progress = createProgress();
listenForInterrupt();
const count: Count = { passed: 0, failed: 0, skipped: 0 };
try {
  await test();
  interrupted.throwIfAborted();
} catch (error) {
  count.failed += 1;
  progress.say(`\n${(error as Error).message}\n`);
}
if (count.skipped > 0) progress.say(`${count.skipped} skipped`);
progress.say(`${count.passed} passed, ${count.failed} failed`);
process.exit(count.failed === 0 && count.passed > 0 ? 0 : 1);

async function test(): Promise<void> {
  const parsed = parseArgs({ allowPositionals: true, allowNegative: true, options: OPTIONS });
  const { values, positionals: patterns } = parsed;
  const isWhole = patterns.length === 0;
  const lane = values.all ? 'all' : values.fast ? 'fast' : 'usual';
  const files = shuffled(isWhole ? filesIn(lane) : filesLike(patterns), values.seed);
  if (files.length === 0) throw new Failure(`No test file fits ${patterns.join(' ')}.`);
  const other = sharedRun();
  if (other) throw new Failure(`The tests already run in this checkout (pid ${other.pid}).`);
  mkdirSync(inData('test'), { recursive: true, mode: 0o711 });
  // Beside the tests: both take one core for a while, and fail the run without hiding what the tests say.
  const checking =
    values.checks && isWhole ? ['types', 'lint'].map((name) => check(name, () => runNpm(name))) : [];
  const postgres = values.fast ? undefined : await startTestServer('test-postgres');
  try {
    progress.say(`  ${postgres ? `postgres ${postgres.label}, ` : ''}${files.length} files\n`);
    // Tells every file of the run what it may share.
    const publish = (shared: Omit<Shared, 'pid'>) => writeJson(SHARED_FILE, { pid: process.pid, ...shared });
    const server = postgres?.url;
    publish({ server });
    rmSync(RECORDED, { recursive: true, force: true });
    const isMeasured = values.all && isWhole;
    if (isMeasured) process.env.NODE_V8_COVERAGE = RECORDED;
    const setting = { count, signal: interrupted, say: progress.say };
    // Files with their own process are few and long, so they begin. Tests beside the code wait more than they work.
    const [beside, stacks] = [files.filter(isBesideCode), files.filter((file) => !isBesideCode(file))];
    await runTests([...ownProcesses(beside), ...sharedProcesses(beside)], { ...setting, besideCores: 3 });
    // Whole stacks load a file without asserting what it does, so they are not measured.
    delete process.env.NODE_V8_COVERAGE;
    if (isMeasured) checking.push(check('coverage', measureCoverage));
    const shared = files.some(sharesStack) ? await startSharedStack() : undefined;
    publish({ server, stack: shared?.facts });
    // The browser takes one of the places for half of the time.
    await runTests([...sharedProcesses(stacks), ...ownProcesses(stacks)], { ...setting, besideCores: 2 });
    await shared?.stop();
    await Promise.all(checking);
  } finally {
    rmSync(SHARED_FILE, { force: true });
    postgres?.stopNow();
  }
}

/** In another order for each seed, so that no file can lean on the one before it. */
function shuffled(files: readonly string[], seed: string | undefined): readonly string[] {
  if (seed === undefined) return files;
  const place = (file: string) => hash('sha256', `${seed} ${file}`);
  return files.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** A step that fails the run and lets the others continue. */
async function check(
  name: string,
  work: (note: (detail: string) => void) => Promise<unknown>,
): Promise<void> {
  await progress.step(name, work).catch((error: Error) => {
    count.failed += 1;
    progress.say(error.message);
  });
}

function runNpm(script: string): Promise<string> {
  const options = { sentence: `npm run ${script} found this:`, lines: 200 };
  return run('npm', ['run', '--silent', script], options);
}
