import { usageOfMonth } from '@verdict/db/usage-export.js';
import { monthOf } from '@verdict/domain/month.js';
import type { Command } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { plans } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { periodOption } from './period-option.js';

const COLUMNS = ['account', 'plan', 'entitled', 'used', 'over', 'allow', 'challenge', 'review', 'block'];

export function addUsage(program: Command, { output }: Context): void {
  const usage = program.command('usage').description('what the customers used');
  usage
    .command('export')
    .description('one line per account as CSV; --json for programs')
    .addOption(periodOption('month to export').default(monthOf(new Date()), 'the running month'))
    .action(async ({ period }: { period: string }, command: Command) => {
      const plansNow = plans();
      const rows = (await withDatabase((db) => usageOfMonth(db, period))).map(
        ({ account, plan, entitled: billed, over, used, ...byDecision }) => {
          // A closed month says what was billed, whatever the plans file says today.
          const entitled = billed ?? plansNow.get(plan)?.checksPerMonth ?? 0;
          return { account, plan, entitled, used, over: over ?? Math.max(0, used - entitled), ...byDecision };
        },
      );
      if (command.optsWithGlobals().json) return output().rows(rows, '');
      // An account's name in front of a spreadsheet must stay text: cells that look like formulas are quoted.
      output().text(stringify(rows, { header: true, columns: COLUMNS, escape_formulas: true }));
    });
}
