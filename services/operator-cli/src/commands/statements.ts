import { closeMonths } from '@verdict/metering/close-months.js';
import type { Command } from 'commander';
import { plans } from '../config.js';
import { withMetering } from '../connect.js';
import type { Context } from '../context.js';
import { periodOption } from './period-option.js';

export function addStatements(program: Command, { output, fail }: Context): void {
  const statements = program.command('statements').description('what the customers are billed');
  statements
    .command('close')
    .description(
      'close a month that has ended, and the ones before it; refuses while its checks are on their way',
    )
    .addOption(periodOption('month to close').makeOptionMandatory())
    .option('--force', 'close all the same: what arrives later becomes an adjustment')
    .action(async ({ period, force }: { period: string; force?: boolean }) => {
      const closings = await withMetering((metering) =>
        closeMonths(metering, { plans: plans(), graceMs: 0, month: period, force: force ?? false }),
      );
      const rows = closings.map((closing) => ({
        month: closing.month,
        outcome: closing.outcome,
        statements: closing.outcome === 'closed' ? closing.statements : 0,
        reason: closing.outcome === 'refused' ? closing.reason : '',
      }));
      output().rows(rows, `${period} is closed already, or has not ended.`);
      if (rows.some(({ outcome }) => outcome === 'refused')) fail();
    });
}
