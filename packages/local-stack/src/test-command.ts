import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createProgress } from '../../../scripts/lib/progress.mjs';
import { Failure } from './failure.js';
import { Interrupted, interrupted, listenForInterrupt } from './interrupt.js';
import { writeJson } from './json-file.js';
import { measureCoverage, RECORDED } from './measure-coverage.js';
import { type SharedStack, startSharedStack } from './open-stack.js';
import { inData, inRoot } from './paths.js';
import { runCommand } from './run-command.js';
import { type Count, runTests } from './run-tests.js';
import { filesIn, filesLike, sharesStack } from './test-lanes.js';
import { forgetShared, SHARED_FILE, sharedRun, startTestServer, type TestServer } from './test-server.js';

const USAGE = `npm test -- [options] [part of a path ...]
  --all        every test, with coverage; what CI runs
  --fast       only the tests beside the code that need no database (npm run test:fast)
  --no-checks  neither types nor lint`;

const progress = createProgress();
listenForInterrupt(() => process.exit(130));
const count: Count = { passed: 0, failed: 0, skipped: 0 };
try {
  await test();
  if (interrupted.aborted) throw new Interrupted();
} catch (error) {
  count.failed += 1;
  progress.say(`\n${(error as Error).message}\n`);
}
if (count.skipped > 0) progress.say(`${count.skipped} skipped`);
progress.say(`${count.passed} passed, ${count.failed} failed`);
process.exit(count.failed === 0 && count.passed > 0 ? 0 : 1);

async function test(): Promise<void> {
  const { lane, patterns, checks } = parseOptions(process.argv.slice(2));
  const files = patterns.length > 0 ? filesLike(patterns) : filesIn(lane);
  if (files.length === 0) throw new Failure(`No test file fits ${patterns.join(' ')}.`);
  const other = sharedRun();
  if (other) throw new Failure(`The tests already run in this checkout (pid ${other.pid}).`);
  mkdirSync(inData('test'), { recursive: true, mode: 0o711 });
  // Beside the tests: both take one core for a while, and fail the run without hiding what the tests say.
  const checking = checks ? [check('types', checkTypes), check('lint', lint)] : [];
  const { server, stopNow, label } = await startTestServer('test-postgres');
  try {
    publish(server);
    progress.say(`  postgres ${label}, ${files.length} files\n`);
    const coverage = lane === 'all' && patterns.length === 0;
    rmSync(RECORDED, { recursive: true, force: true });
    if (coverage) process.env.NODE_V8_COVERAGE = RECORDED;
    await runFiles(server, files);
    if (coverage) await check('coverage', measureCoverage);
    await Promise.all(checking);
  } finally {
    forgetShared();
    stopNow();
  }
}

/** Tells every file of the run what it may share. */
function publish(server: TestServer, stack?: SharedStack): void {
  writeJson(SHARED_FILE, { pid: process.pid, server, stack });
}

async function runFiles(server: TestServer, files: readonly string[]): Promise<void> {
  const shared = files.some(sharesStack) ? await startSharedStack() : undefined;
  publish(server, shared?.facts);
  const timeoutMs = Number(process.env.TEST_TIMEOUT_SECONDS ?? 900) * 1000;
  const { passed, failed, skipped } = await runTests(files, {
    timeoutMs,
    signal: interrupted,
    say: progress.say,
  });
  count.passed += passed;
  count.failed += failed;
  count.skipped += skipped;
  await shared?.stop();
}

/** A step that fails the run and lets the others continue. */
async function check(name: string, work: (note: (detail: string) => void) => Promise<void>): Promise<void> {
  await progress.step(name, work).catch((error: Error) => {
    count.failed += 1;
    progress.say(error.message);
  });
}

async function checkTypes(note: (detail: string) => void): Promise<void> {
  note('one program, and the dashboard');
  for (const project of ['tsconfig.json', 'services/dashboard/tsconfig.json']) {
    await runCommand(inRoot('scripts/node_modules/.bin/tsc'), ['-p', inRoot(project)], {
      cwd: inRoot(),
      sentence: 'The types do not fit:',
      lines: 100,
    });
  }
}

async function lint(note: (detail: string) => void): Promise<void> {
  note('biome');
  const options = { cwd: inRoot(), sentence: 'The linter objects:', lines: 200 };
  await runCommand(inRoot('scripts/node_modules/.bin/biome'), ['check', '.'], options);
  note('prose');
  await runCommand(process.execPath, [inRoot('scripts/check-prose.mjs')], options);
}

function parseOptions(argv: readonly string[]) {
  const options = {
    all: { type: 'boolean' },
    fast: { type: 'boolean' },
    checks: { type: 'boolean', default: true },
  } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      allowNegative: true,
      options,
    });
    const lane = values.all ? 'all' : values.fast ? 'fast' : 'usual';
    return { lane, patterns: positionals, checks: values.checks && positionals.length === 0 } as const;
  } catch (error) {
    throw new Failure(`${(error as Error).message.split('. ')[0]}.\n${USAGE}`);
  }
}
