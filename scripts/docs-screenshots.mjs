// `npm run docs:screenshots`: the pictures of the dashboard in docs/screenshots, taken from a stack of their own.
import path from 'node:path';
import { build } from './lib/build.mjs';
import { findChromiumBinary } from './lib/chromium-binary.mjs';
import { describeFailure, Failure } from './lib/failure.mjs';
import { install } from './lib/install.mjs';
import { logFileFor } from './lib/log-file.mjs';
import { dataDir, inRoot, makeDataDirectory, makeDirectory } from './lib/paths.mjs';
import { createProgress } from './lib/progress.mjs';
import { findRedisBinary } from './lib/redis-binary.mjs';
import { run } from './lib/run.mjs';
import { createRunFile } from './lib/run-file.mjs';
import { startTestPostgres } from './lib/test-servers.mjs';

const directory = path.join(dataDir, 'test');
const progress = createProgress();

try {
  makeDataDirectory();
  makeDirectory(directory);
  await progress.step('dependencies', install);
  await progress.step('build', build);
  const redis = await progress.step('redis', findRedisBinary);
  const chromium = await progress.step('chromium', findChromiumBinary);
  if (!chromium) throw new Failure('A chromium is needed; try: sudo apt-get install chromium.');
  const runFile = createRunFile(path.join(directory, 'run.json'));
  const postgres = await progress.step('postgres', (note) => startTestPostgres({ directory, runFile, note }));
  try {
    await progress.step('pictures', () =>
      run(process.execPath, [inRoot('test/dist/browser/take-screenshots.js')], {
        log: logFileFor('screenshots'),
        sentence: 'The pictures could not be taken.',
        env: {
          ...process.env,
          ...postgres.environment,
          TEST_REDIS_BIN: redis.file,
          TEST_CHROMIUM_BIN: chromium,
        },
      }),
    );
  } finally {
    await postgres.stop();
    runFile.remove();
  }
} catch (error) {
  process.exitCode = 1;
  console.error(`\n${describeFailure(error)}`);
}
