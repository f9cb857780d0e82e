import { usageOfMonth } from '@verdict/db/billing/usage-export.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import { monthOf } from '@verdict/domain/month.js';
import { pricesIn } from '@verdict/domain/pricing/prices-in.js';
import { type Command, Option } from 'commander';
import { plans } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { requireAccount } from '../require-account.js';
import { periodOption } from './period-option.js';

const COLUMNS = ['month', 'account', 'name', 'plan', 'entitled', 'used', 'adjusted', 'over', ...DECISIONS];

export function addUsage(program: Command, { output }: Context): void {
  const usage = program.command('usage').description('show and export usage');
  const period = (description: string) =>
    periodOption(description).default(monthOf(new Date()), 'the running month');

  usage
    .command('show <account>')
    .description('show one account, by id or by the email of a user')
    .addOption(period('month to show'))
    .action(async (account: string, { period: month }: { period: string }) => {
      const rows = await withDatabase(async (db) => {
        const { id } = await requireAccount(db, account);
        return (await usageOfMonth(db, month)).filter((row) => row.account === id);
      });
      output().rows(rows.map(withMonth(month)), `The account did not exist in ${month}.`);
    });

  usage
    .command('export')
    .description('print one line per account as CSV; --json for programs')
    .addOption(period('month to export'))
    .action(async ({ period: month }: { period: string }, command: Command) => {
      const rows = (await withDatabase((db) => usageOfMonth(db, month))).map(withMonth(month));
      if (command.optsWithGlobals().json) return output().rows(rows, '');
      const { stringify } = await import('csv-stringify/sync');
      // An account's name in front of a spreadsheet must stay text: cells that look like formulas are quoted.
      output().text(stringify(rows, { header: true, columns: COLUMNS, escape_formulas: true }));
    });

  usage
    .command('events')
    .description(
      'one event per account and finished hour, one JSON document a line, for metering elsewhere; run it again for what came later',
    )
    .addOption(period('month of the events'))
    .addOption(new Option('--format <format>').choices(['cloudevents', 'lago']).default('cloudevents'))
    .action(async ({ period: month, format }: { period: string; format: 'cloudevents' | 'lago' }) => {
      const { readUsageEvents } = await import('@verdict/db/billing/usage-events.js');
      const { cloudEvent, lagoEvent } = await import('@verdict/domain/usage-event.js');
      const events = await withDatabase((db) => readUsageEvents(db, month));
      const written = events.map((event) => (format === 'lago' ? lagoEvent(event) : cloudEvent(event)));
      output().text(written.map((event) => `${JSON.stringify(event)}\n`).join(''));
    });
}

/** A closed month says what was billed, whatever the plans file says today. */
function withMonth(month: string) {
  const now = pricesIn(plans(), month);
  return (row: Awaited<ReturnType<typeof usageOfMonth>>[number]) => {
    const { account, name, plan, entitled: billed, used, adjusted, over, ...byDecision } = row;
    const entitled = billed ?? now.get(plan)?.checksPerMonth ?? 0;
    return {
      month,
      account,
      name,
      plan,
      entitled,
      used,
      adjusted,
      over: over ?? Math.max(0, used - entitled),
      ...byDecision,
    };
  };
}
