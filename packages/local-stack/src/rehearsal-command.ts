import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { childEnvironment } from './child-environment.js';
import { inData, inRoot } from './paths.js';
import type { Progress } from './progress.js';
import { findRedisBinary } from './redis-binary.js';
import { runCommand } from './run-command.js';
import { takeRunFile } from './run-file.js';
import { startRedis } from './start-redis.js';
import { startTestPostgres } from './test-postgres.js';

interface Rehearsed {
  readonly months: readonly string[];
  readonly invoices: number;
  readonly differences: number;
}

/** `npm run demo:month [folder]`: three month's ends of a dozen accounts, with invoices and reports to look at. */
export async function rehearsalCommand([folder]: readonly string[], progress: Progress): Promise<void> {
  const target = folder === undefined ? inData('papers') : resolve(folder);
  mkdirSync(inData('test'), { recursive: true, mode: 0o711 });
  const refusal = (pid: number) => `Tests or a rehearsal already run in this checkout (pid ${pid}).`;
  const runFile = await takeRunFile(inData('test/run.json'), refusal);
  const stops: (() => Promise<unknown>)[] = [() => Promise.resolve(runFile.remove())];
  try {
    const postgres = await progress.step('postgres', (note) => startTestPostgres(runFile, note));
    stops.unshift(() => postgres.stop());
    const redisUrl = await progress.step('redis', async (note) => {
      const server = await startRedis({ binary: (await findRedisBinary(note)).file });
      runFile.add('redis', server.pid);
      stops.unshift(() => server.stop());
      return server.url;
    });
    const { months, invoices, differences } = await progress.step('three months', async (note) => {
      note('a dozen accounts');
      const url = new URL(postgres.environment.TEST_DATABASE_URL);
      url.pathname = `/${postgres.environment.TEST_DATABASE_TEMPLATE}`;
      const main = inRoot('services/operator-cli/dist/src/rehearsal-main.js');
      const output = await runCommand(process.execPath, [main, target], {
        env: childEnvironment({ DATABASE_URL: url.href, REDIS_URL: redisUrl }),
        sentence: 'The rehearsal failed.',
      });
      return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Rehearsed;
    });
    const latest = join(target, months.at(-1) ?? '');
    progress.say(`
  ${invoices} invoices and credit notes of ${months.join(', ')}; reconciliation found ${differences} differences.
  Reports   ${months.map((month) => join(target, month, 'report.html')).join('\n            ')}
  Invoices  ${join(latest, 'VRD-….pdf')} and .html
  Accounts  ${join(latest, 'invoices.csv')}
`);
  } finally {
    for (const stop of stops) await stop();
  }
}
