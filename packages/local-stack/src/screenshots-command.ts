import { mkdirSync } from 'node:fs';
import { findChromiumBinary } from './chromium-binary.js';
import { Failure } from './failure.js';
import { inData, inRoot } from './paths.js';
import type { Progress } from './progress.js';
import { findRedisBinary } from './redis-binary.js';
import { runCommand } from './run-command.js';
import { takeRunFile } from './run-file.js';
import { seedTemplate } from './seeded-template.js';
import { startTestPostgres } from './test-postgres.js';

/** `npm run docs:screenshots`: the pictures of the dashboard in docs/screenshots, taken from a stack of their own. */
export async function screenshotsCommand(progress: Progress): Promise<void> {
  const redis = await progress.step('redis', findRedisBinary);
  const chromium = await findChromiumBinary(progress);
  if (!chromium) throw new Failure('A chromium is needed; try: sudo apt-get install chromium.');
  mkdirSync(inData('test'), { recursive: true, mode: 0o711 });
  const refusal = (pid: number) => `The tests already run in this checkout (pid ${pid}).`;
  const runFile = await takeRunFile(inData('test/run.json'), refusal);
  try {
    const postgres = await progress.step('postgres', (note) => startTestPostgres(runFile, note));
    try {
      const seeded = await seedTemplate(postgres.environment, redis.file);
      const environment = { ...seeded, TEST_REDIS_BIN: redis.file, TEST_CHROMIUM_BIN: chromium };
      await progress.step('pictures', () =>
        runCommand(process.execPath, [inRoot('test/dist/browser/take-screenshots.js')], {
          sentence: 'The pictures could not be taken.',
          env: { ...process.env, ...postgres.environment, ...environment },
        }),
      );
    } finally {
      await postgres.stop();
    }
  } finally {
    runFile.remove();
  }
}
