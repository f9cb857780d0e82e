import { appendOperatorEvent } from '@verdict/db/accounts/operator-events.js';
import { monthStatus } from '@verdict/db/billing/billing-months.js';
import { type AccountStatement, statementsOfMonth } from '@verdict/db/billing/statement-reading.js';
import { formatAmount } from '@verdict/domain/money.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import { describeLine } from '@verdict/invoicing/describe-line.js';
import type { Command } from 'commander';
import { plans } from '../config.js';
import { withDatabase, withMetering } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';
import { createProgress } from '../progress.js';
import { requireAccount } from '../require-account.js';
import { tellOfStopped } from '../tell-of-stopped.js';
import { periodOption } from './period-option.js';

export function addStatements(program: Command, { output, fail }: Context): void {
  const statements = program.command('statements').description('list, show and close statements');
  const period = (description: string) =>
    periodOption(description).default(addMonths(monthOf(new Date()), -1), 'the last month');

  statements
    .command('list')
    .description('list the statements of a closed month')
    .addOption(period('month to list'))
    .action(async ({ period: month }: { period: string }) => {
      const rows = await withDatabase((db) => statementsOfMonth(db, month));
      output().rows(
        rows.map((row) => ({
          account: row.account_id,
          name: row.name,
          plan: row.plan,
          entitled: row.entitled,
          used: row.used,
          adjusted: row.adjusted,
          over: row.over,
          currency: row.currency,
          subtotal: formatAmount(row.subtotal, row.currency, ''),
          tax: formatAmount(row.tax, row.currency, ''),
          total: formatAmount(row.total, row.currency, ''),
        })),
        `${month} has no statements: it is still open, or there were no accounts.`,
      );
    });

  statements
    .command('show <account>')
    .description('show one statement with its lines')
    .addOption(period('month to show'))
    .action(async (account: string, { period: month }: { period: string }, command: Command) => {
      const statement = await withDatabase(async (db) => {
        const { id } = await requireAccount(db, account);
        return (await statementsOfMonth(db, month, id))[0];
      });
      if (!statement) throw new Error(`there is no statement of ${account} for ${month}`);
      if (command.optsWithGlobals().json) output().text(`${JSON.stringify(statement, null, 2)}\n`);
      else output().text(inWords(statement));
    });

  statements
    .command('close')
    .description('close a month and the ones before it, and issue invoices; refuses while checks are queued')
    .addOption(periodOption('month to close').makeOptionMandatory())
    .option('--force', 'close despite queued checks; late ones become adjustments')
    .action(async ({ period: month, force }: { period: string; force?: boolean }) => {
      const { agreedNow } = await import('@verdict/metering/agreed-now.js');
      const { closeMonths } = await import('@verdict/metering/close-months.js');
      const { issueInvoices } = await import('@verdict/metering/issue-invoices.js');
      const onProgress = createProgress();
      const { closings, status } = await withMetering(async (metering) => {
        const made = await closeMonths(metering, {
          plans: plans(),
          graceMs: 0,
          month,
          force: force ?? false,
          onProgress,
        });
        for (const closing of made) {
          if (closing.outcome !== 'closed') continue;
          const details = { statements: closing.statements, force: force ?? false };
          await appendOperatorEvent(metering.db, operatorAudit('month.closed', closing.month, details));
        }
        const today = new Date(await agreedNow(metering));
        await issueInvoices(metering.db, today, {
          audit: () => operatorAudit('invoices.issued', month),
          onProgress,
        });
        await tellOfStopped(metering.db);
        return { closings: made, status: await monthStatus(metering.db, month) };
      });
      const rows = closings.map((closing) => ({
        month: closing.month,
        outcome: closing.outcome,
        statements: closing.outcome === 'closed' ? closing.statements : 0,
        reason: closing.outcome === 'refused' ? closing.reason : '',
      }));
      output().rows(rows, whyNothing(month, status));
      if (status !== 'closed') fail();
    });
}

/** Why there was nothing to close; only the first of these is what the operator wanted. */
function whyNothing(month: string, status: 'open' | 'closed' | null): string {
  if (status === 'closed') return `${month} is already closed.`;
  if (month >= monthOf(new Date())) {
    return `${month} has not ended: it can be closed from ${addMonths(month, 1)}-01, 00:00 UTC.`;
  }
  return `${month} cannot be closed: Verdict recorded nothing in it.`;
}

function inWords(statement: AccountStatement): string {
  const { currency } = statement;
  const rows: [string, string][] = [
    ['account', `${statement.account_id} ${statement.name}`],
    ['month', statement.month],
    ['plans', statement.plans.map(({ plan, days }) => `${plan} (${days} days)`).join(', ')],
    ['entitled', String(statement.entitled)],
    ['used', String(statement.used)],
    ['adjusted', String(statement.adjusted)],
    ['over', String(statement.over)],
    ...statement.lines.map((line): [string, string] => {
      const { description, quantity, price, amount } = describeLine(line, currency);
      return ['line', [description, quantity, price, amount].filter(Boolean).join(' | ')];
    }),
    ['subtotal', `${formatAmount(statement.subtotal, currency)} ${currency}`],
    ['tax', `${formatAmount(statement.tax, currency)} ${currency}`],
    ['total', `${formatAmount(statement.total, currency)} ${currency}`],
    ['closed_at', statement.closed_at],
    ['checksum', statement.checksum],
  ];
  return `${rows.map(([name, value]) => `${name}: ${value}`).join('\n')}\n`;
}
