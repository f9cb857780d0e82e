import { addTerms, listTerms } from '@verdict/db/billing/account-terms.js';
import { formatAmount, formatRate, parseAmount, parseRate } from '@verdict/domain/money.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import type { Command } from 'commander';
import { currency, operator, plans } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';
import { requireAccount } from '../require-account.js';
import { fromOption } from './period-option.js';

interface Wish {
  readonly from: string;
  readonly plan?: string;
  readonly price?: string;
  readonly over?: string;
  readonly discount?: string;
  readonly reason: string;
}

export function addTermsCommands(program: Command, { output }: Context): void {
  const terms = program.command('terms').description('set the prices and discounts of one account');

  terms
    .command('list <account>')
    .description('list what was agreed; the last of a month that has begun holds')
    .action(async (account: string) => {
      const rows = await withDatabase(async (db) => listTerms(db, (await requireAccount(db, account)).id));
      output().rows(
        rows.map(({ price_month: price, price_per_1000_over: over, discount, ...row }) => ({
          ...row,
          price_month: price === null ? null : formatAmount(price, currency(), ''),
          price_per_1000_over: over === null ? null : formatAmount(over, currency(), ''),
          discount: formatRate(discount),
        })),
        'The account pays the prices of its plans.',
      );
    });

  terms
    .command('set <account>')
    .description(
      'agree on prices of a plan, a discount, or both, from a month on; without either, end what was agreed',
    )
    .addOption(
      fromOption('first month that it holds').default(addMonths(monthOf(new Date()), 1), 'the next month'),
    )
    .option('--plan <plan>', 'the plan that the prices are for')
    .option('--price <amount>', 'a month of it, such as 79.00')
    .option('--over <amount>', 'a thousand checks over its quota')
    .option('--discount <percent>', 'off everything that is charged, such as 15 or 7.5')
    .requiredOption('--reason <text>', 'kept with it and in the audit log')
    .action(async (account: string, { from, plan, price, over, discount, reason }: Wish) => {
      if (plan !== undefined && !plans().has(plan))
        throw new Error(`there is no plan "${plan}"; see verdict plans`);
      if ((plan === undefined) !== (price === undefined && over === undefined))
        throw new Error('--plan goes with --price, --over or both');
      const percent = discount === undefined ? 0 : parseRate(discount);
      if (percent === null || percent > 10_000) throw new Error('--discount wants a percentage up to 100');
      const agreed = {
        from,
        plan: plan ?? null,
        price_month: amountOf('--price', price),
        price_per_1000_over: amountOf('--over', over),
        discount: percent,
        reason,
      };
      await withDatabase(async (db) => {
        const { id } = await requireAccount(db, account);
        const audit = operatorAudit('billing.terms_set', id, agreed);
        if (!(await addTerms(db, id, agreed, operator(), audit)))
          throw new Error(`${from} is closed: its bill is written. Use an adjustment or a credit note`);
        output().object({ account: id, ...agreed, discount: formatRate(percent) });
      });
    });
}

function amountOf(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const minor = parseAmount(text, currency());
  if (minor === null || minor < 0)
    throw new Error(`${option} wants an amount in ${currency()}, such as 79.00`);
  return minor;
}
