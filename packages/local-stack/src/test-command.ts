import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleEntries } from './bundled-entry.js';
import { findChromiumBinary } from './chromium-binary.js';
import { SIDES } from './free-port.js';
import { Interrupted, interrupted, listenForInterrupt } from './interrupt.js';
import { measureCoverage, RECORDED } from './measure-coverage.js';
import { inData, inRoot } from './paths.js';
import type { Progress } from './progress.js';
import { findRedisBinary } from './redis-binary.js';
import { runCommand } from './run-command.js';
import { type RunFile, takeRunFile } from './run-file.js';
import type { FileCount } from './run-test-files.js';
import { mayRunAgain } from './second-run.js';
import { seedTemplate } from './seeded-template.js';
import { findTestFiles, isUnit, roomsOf } from './test-files.js';
import { parseTestOptions, type TestOptions } from './test-options.js';
import { startTestPostgres } from './test-postgres.js';

const BROWSER_TESTS = 'test/dist/browser/';
const NOTHING = { passed: 0, failed: 0, skipped: 0, unsteady: 0 };

/** Lints and tests; the last line is always `N passed, N failed`. */
export async function testCommand(argv: readonly string[], progress: Progress): Promise<void> {
  listenForInterrupt(() => process.exit(130));
  let count = NOTHING;
  try {
    const options = parseTestOptions(argv);
    mkdirSync(inData('test'), { recursive: true, mode: 0o711 });
    const refusal = (pid: number) => `The tests already run in this checkout (pid ${pid}).`;
    const runFile = await takeRunFile(inData('test/run.json'), refusal);
    try {
      count = await lintAndTest(options, progress, runFile);
    } finally {
      runFile.remove();
    }
    if (interrupted.aborted) throw new Interrupted();
  } catch (error) {
    count = { ...count, failed: count.failed + 1 };
    progress.say(`\n${(error as Error).message}\n`);
  }
  if (count.unsteady > 0)
    progress.say(`${count.unsteady} unsteady: red at first, green when run again alone`);
  if (count.skipped > 0) progress.say(`${count.skipped} skipped`);
  progress.say(`${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1;
}

async function lintAndTest(
  options: TestOptions,
  progress: Progress,
  runFile: RunFile,
): Promise<typeof NOTHING> {
  const files = findTestFiles(options);
  let remarks = options.lint ? await countsAsFailure(progress.step('lint', lint), progress) : 0;
  const redis = await progress.step('redis', findRedisBinary);
  const needsBrowser = files.some((file) => file.startsWith(BROWSER_TESTS));
  const chromium = needsBrowser ? await findChromiumBinary(progress) : null;
  const startStacks = !files.every(isUnit);
  const bundles = startStacks ? await progress.step('bundles', bundleEntries) : {};
  const postgres = await progress.step('postgres', (note) => startTestPostgres(runFile, note));
  try {
    const seeded = startStacks
      ? await progress.step('demo account', () => seedTemplate(postgres.environment, redis.file))
      : {};
    progress.say('');
    rmSync(RECORDED, { recursive: true, force: true });
    const environment = {
      ...postgres.environment,
      ...bundles,
      ...seeded,
      TEST_REDIS_BIN: redis.file,
      ...(chromium ? { TEST_CHROMIUM_BIN: chromium } : {}),
      ...(options.coverage ? { NODE_V8_COVERAGE: RECORDED } : {}),
    };
    const first = await runFiles(files, SIDES, environment);
    const again = options.again ? mayRunAgain(first) : [];
    if (again.length > 0) progress.say('\nonce more, with nothing beside it:');
    const second = again.length > 0 ? await runFiles(again, 1, environment) : [];
    progress.say('');
    if (options.coverage)
      remarks += await countsAsFailure(progress.step('coverage', measureCoverage), progress);
    const last = [...first.filter(({ file }) => !again.includes(file)), ...second];
    const sum = (of: 'passed' | 'failed' | 'skipped') => last.reduce((total, file) => total + file[of], 0);
    // A file that never reported has not passed.
    const lost = files.length - last.length;
    const unsteady = second.filter(({ failed }) => failed === 0).length;
    return {
      passed: sum('passed'),
      failed: sum('failed') + lost + remarks,
      skipped: sum('skipped'),
      unsteady,
    };
  } finally {
    await postgres.stop();
    progress.say('');
  }
}

async function lint(note: (detail: string) => void): Promise<void> {
  note('biome');
  const options = { cwd: inRoot(), sentence: 'The linter objects:', lines: 200 };
  await runCommand(inRoot('node_modules/.bin/biome'), ['check', '.'], options);
}

/** It fails the run but does not hide what the tests have to say. */
async function countsAsFailure(step: Promise<void>, progress: Progress): Promise<number> {
  try {
    await step;
    return 0;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    progress.say((error as Error).message);
    return 1;
  }
}

/** In a process of its own, because tap takes hold of the one it runs in. */
async function runFiles(
  files: readonly string[],
  sides: number,
  environment: NodeJS.ProcessEnv,
): Promise<readonly FileCount[]> {
  const runner = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./run-test-files.js', import.meta.url)),
      String(sides),
      ...roomsOf(files).map((room) => room.join()),
    ],
    {
      cwd: inRoot(),
      env: { ...process.env, ...environment },
      detached: true, // an interrupt ends it and the files it runs, while we still clean up
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  const stop = () => runner.kill('SIGTERM');
  interrupted.addEventListener('abort', stop);
  let counts: readonly FileCount[] = [];
  runner.on('message', (message) => {
    // tap speaks on the same channel, about time limits.
    if (Array.isArray(message)) counts = message as FileCount[];
  });
  await new Promise((resolve) => runner.once('close', resolve));
  interrupted.removeEventListener('abort', stop);
  return counts;
}
