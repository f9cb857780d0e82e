import { join, resolve } from 'node:path';
import { createProgress } from '../../../scripts/lib/progress.mjs';
import { childEnvironment } from './child-environment.js';
import { createEmptyDatabase } from './create-database.js';
import { inData, inRoot } from './paths.js';
import { runCommand } from './run-command.js';
import { startRedis } from './start-redis.js';

interface Rehearsed {
  readonly months: readonly string[];
  readonly invoices: number;
  readonly differences: number;
}

/** `npm run demo:month [-- FOLDER]`: three month's ends of a dozen accounts, with invoices and reports to look at. */
const folder = process.argv[2];
const target = folder === undefined ? inData('papers') : resolve(folder);
const progress = createProgress();
const { months, invoices, differences } = await progress.step('three months', async (note) => {
  note('a dozen accounts');
  const [database, redis] = [await createEmptyDatabase(), await startRedis()];
  try {
    const rehearsal = inRoot('dist/tools/services.operator-cli.src.rehearsal-main.js');
    const output = await runCommand(process.execPath, [rehearsal, target], {
      env: childEnvironment({ DATABASE_URL: database.url, REDIS_URL: redis.url }),
      sentence: 'The rehearsal failed.',
    });
    return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Rehearsed;
  } finally {
    await redis.stop();
    await database.drop();
  }
});
const latest = join(target, months.at(-1) ?? '');
progress.say(`
  ${invoices} invoices and credit notes of ${months.join(', ')}; reconciliation found ${differences} differences.
  Reports   ${months.map((month) => join(target, month, 'report.html')).join('\n            ')}
  Invoices  ${join(latest, 'VRD-….pdf')} and .html
  Accounts  ${join(latest, 'invoices.csv')}
`);
