import { addAdjustment, listAdjustments } from '@verdict/db/billing/manual-adjustments.js';
import { formatAmount, formatMoney, parseAmount } from '@verdict/domain/money.js';
import type { Plan } from '@verdict/domain/plans.js';
import type { Command } from 'commander';
import { currency, operator, plans } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';
import { requireAccount } from '../require-account.js';

interface Wish {
  readonly amount?: string;
  readonly credit?: string;
  readonly checks?: string;
  readonly reason: string;
  readonly yes?: true;
}

export function addAdjustments(program: Command, { output }: Context): void {
  const adjustments = program.command('adjustments').description('add corrections to the next statement');

  adjustments
    .command('list')
    .option('--account <account>', 'only this account (id or email)')
    .action(async ({ account }: { account?: string }) => {
      const rows = await withDatabase(async (db) =>
        listAdjustments(db, account === undefined ? undefined : (await requireAccount(db, account)).id),
      );
      output().rows(rows.map(show), 'There are no adjustments by hand.');
    });

  adjustments
    .command('add <account>')
    .description('add a correction to the next statement; undo a wrong one with its opposite')
    .option('--amount <money>', 'amount of the line, such as 12.50 or -12.50')
    .option('--credit <money>', 'amount to credit, such as 12.50')
    .option('--checks <count>', 'checks to add, or to subtract with a minus')
    .requiredOption('--reason <text>', 'printed on the invoice')
    .option('--yes', 'confirm a correction that looks like a mistake')
    .action(async (account: string, wish: Wish) => {
      const unit = currency();
      const amount = amountOf(wish, unit);
      const checks = checksOf(wish);
      if (amount === 0 && checks === 0) throw new Error('say --amount, --credit or --checks');
      const reason = wish.reason.trim();
      if (reason === '' || reason.length > 200) throw new Error('--reason must have 1 to 200 characters');
      await withDatabase(async (db) => {
        const { id, plan } = await requireAccount(db, account);
        const doubt = doubtOf({ amount, checks }, plans().get(plan));
        if (doubt && !wish.yes) throw new Error(`${doubt}; add --yes if that is right`);
        const kind = wish.credit === undefined ? 'adjustment' : 'credit';
        const made = await addAdjustment(
          db,
          { accountId: id, kind, checks, amount, reason, author: operator() },
          operatorAudit('billing.adjusted', id, { kind, checks, amount, reason }),
        );
        output().object(show(made));
      });
    });

  const show = (row: Awaited<ReturnType<typeof listAdjustments>>[number]) => ({
    id: row.id,
    account: row.account_id,
    kind: row.kind,
    checks: row.checks,
    amount: formatAmount(row.amount, currency(), ''),
    reason: row.reason,
    author: row.author,
    created_at: row.created_at,
    billed_month: row.billed_month ?? 'the next',
  });
}

/** More than this many monthly fees, or this amount where the plan is free, is rarely meant. */
const FEES_MAX = 12;
const FREE_AMOUNT_MAX = 100_000;

/** Why a correction looks like a slip of the hand; null when it does not. It cannot be changed once it is written. */
function doubtOf(
  { amount, checks }: { amount: number; checks: number },
  plan: Plan | undefined,
): string | null {
  const quota = plan?.checksPerMonth ?? 0;
  const most = Math.max(FEES_MAX * (plan?.priceMonth ?? 0), FREE_AMOUNT_MAX);
  if (amount !== 0 && checks !== 0) return 'checks are priced by the plan, so this corrects the bill twice';
  if (Math.abs(checks) > quota) return `${checks} checks are more than the ${quota} of the account's plan`;
  if (Math.abs(amount) > most) return `the amount is more than ${formatMoney(most, currency())}`;
  return null;
}

function amountOf({ amount, credit }: Wish, unit: string): number {
  if (amount !== undefined && credit !== undefined) throw new Error('say --amount or --credit, not both');
  const text = amount ?? credit;
  if (text === undefined) return 0;
  const minor = parseAmount(text, unit);
  if (minor === null) throw new Error(`"${text}" is not an amount of ${unit}, such as 12.50`);
  if (credit === undefined) return minor;
  if (minor <= 0) throw new Error('--credit wants an amount above zero');
  return -minor;
}

function checksOf({ checks, credit }: Wish): number {
  if (checks === undefined) return 0;
  if (credit !== undefined)
    throw new Error('a credit is an amount; say --amount for checks and money together');
  const count = Number(checks);
  if (!Number.isSafeInteger(count) || count === 0)
    throw new Error('--checks wants a whole number other than 0');
  return count;
}
