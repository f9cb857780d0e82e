import path from 'node:path';
import { build } from './build.mjs';
import { describeFailure } from './failure.mjs';
import { install } from './install.mjs';
import { logFileFor } from './log-file.mjs';
import { dataDir, inRoot, makeDataDirectory } from './paths.mjs';
import { choosePorts } from './ports.mjs';
import { createProgress } from './progress.mjs';
import { findRedisBinary } from './redis-binary.mjs';
import { createRedisServer } from './redis-server.mjs';
import { run } from './run.mjs';
import { createRunFile } from './run-file.mjs';
import { childEnvironment } from './services.mjs';
import { startTestPostgres } from './test-servers.mjs';
import { waitReady } from './wait-ready.mjs';

/** @param {string[]} argv */
export async function demoMonth([folder = path.join(dataDir, 'papers')]) {
  const progress = createProgress();
  const stops = [];
  try {
    makeDataDirectory();
    await progress.step('dependencies', install);
    await progress.step('build', build);
    const runFile = createRunFile(path.join(dataDir, 'run.json'));
    const postgres = await progress.step('postgres', (note) =>
      startTestPostgres({ directory: dataDir, runFile, note }),
    );
    stops.unshift(() => postgres.stop());
    const redisUrl = await progress.step('redis', async (note) => {
      const { file, label } = await findRedisBinary(note);
      note(label);
      const { redis: port } = await choosePorts(['redis'], path.join(dataDir, 'redis-port.json'));
      const server = createRedisServer({ file, port, password: 'rehearsal', runFile });
      server.start();
      stops.unshift(() => server.stop());
      await waitReady(server);
      return `redis://:rehearsal@127.0.0.1:${port}`;
    });
    const target = path.resolve(folder);
    const { months, invoices, differences } = await progress.step('three months', async (note) => {
      note('a dozen accounts');
      const url = new URL(postgres.environment.TEST_DATABASE_URL);
      url.pathname = `/${postgres.environment.TEST_DATABASE_TEMPLATE}`;
      const out = await run(
        process.execPath,
        [inRoot('services/operator-cli/dist/src/rehearsal-main.js'), target],
        {
          log: logFileFor('demo-month'),
          env: childEnvironment({ DATABASE_URL: url.href, REDIS_URL: redisUrl }),
          sentence: 'The rehearsal failed.',
        },
      );
      return JSON.parse(out.trimEnd().split('\n').at(-1));
    });
    progress.say(`
  ${invoices} invoices and credit notes of ${months.join(', ')}; reconciliation found ${differences} differences.
  Reports   ${months.map((month) => path.join(target, month, 'report.html')).join('\n            ')}
  Invoices  ${path.join(target, months.at(-1), 'VRD-….pdf')} and .html
  Accounts  ${path.join(target, months.at(-1), 'invoices.csv')}
`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`\n${describeFailure(error)}`);
  } finally {
    for (const stop of stops) await stop();
  }
}
