import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { headline } from './banner.mjs';
import { build } from './build.mjs';
import { findChromiumBinary } from './chromium-binary.mjs';
import { endStrays, RUN_MARK } from './end-strays.mjs';
import { describeFailure, Failure } from './failure.mjs';
import { install } from './install.mjs';
import { Interrupted, interrupted, listenForInterrupt } from './interrupt.mjs';
import { stopLeftovers } from './leftovers.mjs';
import { acquireLock } from './lock.mjs';
import { logFileFor } from './log-file.mjs';
import { dataDir, inRoot, makeDataDirectory, makeDirectory } from './paths.mjs';
import { createProgress } from './progress.mjs';
import { findRedisBinary } from './redis-binary.mjs';
import { run } from './run.mjs';
import { createRunFile } from './run-file.mjs';
import { runTap } from './run-tap.mjs';
import { findTestFiles } from './test-files.mjs';
import { startTestPostgres } from './test-servers.mjs';

const directory = path.join(dataDir, 'test');
const BROWSER_TESTS = 'test/dist/browser/';

/**
 * Installs, builds, lints, tests; the last line is always `N passed, N failed`, and a step that fails before the
 * tests is one failure.
 * @param {string[]} patterns narrow the run to the test files they name
 */
export async function testCommand(patterns) {
  const progress = createProgress();
  listenForInterrupt({ onForce: () => process.exit(130) });
  let count = { passed: 0, failed: 0, skipped: 0 };
  let held = null;
  try {
    makeDataDirectory();
    makeDirectory(directory);
    held = acquireLock(path.join(directory, 'test.lock'));
    if ('heldBy' in held) throw new Failure(`The tests already run in this checkout (pid ${held.heldBy}).`);
    progress.say(headline());
    count = await prepareAndRun(patterns, progress);
    if (interrupted.aborted) throw new Interrupted();
  } catch (error) {
    count.failed += 1;
    console.error(`\n${describeFailure(error)}\n`);
  } finally {
    held?.release?.();
  }
  if (count.skipped > 0) progress.say(`${count.skipped} skipped`);
  progress.say(`${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1;
}

async function prepareAndRun(patterns, progress) {
  const runFile = createRunFile(path.join(directory, 'run.json'));
  await stopLeftovers(runFile.previous());
  await progress.step('dependencies', install);
  await progress.step('build', build);
  const lintFailures = await lint(progress);
  const files = findTestFiles(patterns);
  const redis = await progress.step('redis', async (note) => {
    const found = await findRedisBinary(note);
    note(found.label);
    return found;
  });
  const chromium = files.some((file) => file.startsWith(BROWSER_TESTS)) ? await findBrowser(progress) : null;
  const postgres = await progress.step('postgres', (note) => startTestPostgres({ directory, runFile, note }));
  const mark = randomBytes(12).toString('hex');
  try {
    progress.say('');
    const env = { ...process.env, ...postgres.environment, TEST_REDIS_BIN: redis.file, [RUN_MARK]: mark };
    if (chromium) env.TEST_CHROMIUM_BIN = chromium;
    const count = await runTap(files, env, progress.say);
    return { ...count, failed: count.failed + lintFailures };
  } finally {
    const strays = endStrays(mark);
    if (strays.length > 0) progress.say(`\nEnded what tests left running:\n  ${strays.join('\n  ')}`);
    await postgres.stop();
    runFile.remove();
    progress.say('');
  }
}

async function findBrowser(progress) {
  const file = await progress.step('chromium', async (note) => {
    const found = await findChromiumBinary(note);
    note(found ?? 'none');
    return found;
  });
  if (!file)
    progress.say(
      '\n  THE BROWSER TESTS ARE SKIPPED: there is no chromium. Try: sudo apt-get install chromium\n',
    );
  return file;
}

/** A remark of the linter fails the run but does not hide what the tests have to say. */
async function lint(progress) {
  try {
    await progress.step('lint', (note) => {
      note('biome');
      return run(inRoot('node_modules/.bin/biome'), ['check', '.'], {
        log: logFileFor('lint', path.join(directory, 'logs')),
        sentence: 'The linter objects:',
        tailLines: 200,
      });
    });
    return 0;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    console.error(describeFailure(error));
    return 1;
  }
}
