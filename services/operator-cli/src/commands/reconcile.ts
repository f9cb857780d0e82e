import { appendOperatorEvent } from '@verdict/db/accounts/operator-events.js';
import { databaseNow } from '@verdict/db/database/database-now.js';
import { noteReconciliation } from '@verdict/db/database/observations.js';
import { monthOf } from '@verdict/domain/month.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import type { Command } from 'commander';
import { withMetering } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';
import { periodOption } from './period-option.js';

export function addReconcile(program: Command, { output, fail }: Context): void {
  program
    .command('reconcile')
    .description(
      'compare logs, results of files, rollups, Redis counters and statements; exits 1 on any difference',
    )
    .addOption(periodOption('month to compare').default(monthOf(new Date()), 'the running month'))
    .option('--repair', 'recount the rollups from the logs and correct the Redis counters')
    .action(async ({ period, repair }: { period: string; repair?: boolean }) => {
      const found = await withMetering(async (metering) => {
        const beganAtMs = await databaseNow(metering.db);
        const all = await reconcile(metering, period, repair ? 'everything' : 'nothing');
        await noteReconciliation(metering.db, period, beganAtMs, all);
        const repaired = all.flatMap((one) => (one.repaired ? [`${one.kind} ${one.accountId}`] : []));
        if (repaired.length > 0) {
          await appendOperatorEvent(metering.db, operatorAudit('month.repaired', period, { repaired }));
        }
        return all;
      });
      const rows = found.map(({ accountId, month, kind, expected, found: actual, repaired }) => ({
        account: accountId,
        month,
        kind,
        expected,
        found: actual,
        difference: actual - expected,
        repaired,
      }));
      output().rows(rows, `${period}: logs, rollups, counters and statements agree.`);
      if (rows.some((row) => !row.repaired)) fail();
    });
}
