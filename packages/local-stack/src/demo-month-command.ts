import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { monthOf } from '@verdict/domain/month.js';
import { createProgress } from '../../../scripts/lib/progress.mjs';
import { childEnvironment } from './child-environment.js';
import { createEmptyDatabase } from './create-database.js';
import { inData, inRoot, PAPERS } from './paths.js';
import { runCommand } from './run-command.js';
import { startRedis } from './start-redis.js';

interface Rehearsed {
  readonly months: readonly string[];
  readonly invoices: number;
  readonly differences: number;
}

/**
 * `npm run demo:month [-- FOLDER] [--keep]`: three month's ends of a dozen accounts, with invoices and reports to look at.
 * With --keep their database stays up until Ctrl-C, for `psql` and `verdict`.
 */
const { values, positionals } = parseArgs({ options: { keep: { type: 'boolean' } }, allowPositionals: true });
const [folder] = positionals;
const target = folder === undefined ? inData(PAPERS) : resolve(folder);
const progress = createProgress();
const [database, redis] = [await createEmptyDatabase(), await startRedis()];
try {
  const { months, invoices, differences } = await progress.step('three months', async (note) => {
    note('a dozen accounts');
    const rehearsal = inRoot('dist/tools/services.operator-cli.src.rehearsal-main.js');
    const output = await runCommand(process.execPath, [rehearsal, target], {
      env: childEnvironment({ DATABASE_URL: database.url, REDIS_URL: redis.url }),
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
  if (values.keep) {
    progress.say(`  Try the month's commands and the SQL of docs/billing.md on it, until Ctrl-C:

  export DATABASE_URL='${database.url}' REDIS_URL='${redis.url}'
  npx verdict invoices list --issued ${monthOf(new Date())}
  psql "$DATABASE_URL" -c "SELECT * FROM billing.usage_monthly WHERE month = '${months.at(-1)}-01'"
`);
    await new Promise((resolve) => process.once('SIGINT', resolve));
  }
} finally {
  await redis.stop();
  await database.drop();
}
