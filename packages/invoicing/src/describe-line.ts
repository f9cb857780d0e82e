import { formatMoney, formatRate } from '@verdict/domain/money.js';
import type { StatementLine } from '@verdict/domain/statement-line.js';
import { formatCount, formatDays, formatMonth } from './in-words.js';

/** A line of a bill as people read it. */
export interface DescribedLine {
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly amount: string;
}

export function describeLine(line: StatementLine, currency: string): DescribedLine {
  const amount = formatMoney(line.amount, currency);
  switch (line.kind) {
    case 'plan':
      return {
        description: `Plan ${line.plan}, ${formatDays(line.from, line.to)}`,
        quantity: line.days === line.month_days ? '1 month' : `${line.days} of ${line.month_days} days`,
        price: `${formatMoney(line.price_month, currency)} a month`,
        amount,
      };
    case 'plan_checks':
      return {
        description: line.month
          ? `Late checks of ${formatMonth(line.month)}, above the pro rata share of ${line.plan}`
          : `Checks above the pro rata share of ${line.plan}`,
        quantity: formatCount(line.checks),
        price: `${formatMoney(line.price, currency)} for ${formatCount(line.of_checks)}`,
        amount,
      };
    case 'discount':
      return {
        description: line.month ? `Discount on late checks of ${formatMonth(line.month)}` : 'Discount',
        quantity: '',
        price: formatRate(line.percent),
        amount,
      };
    case 'carried_forward':
      return { description: 'Carried forward to the next statement', quantity: '', price: '', amount };
    case 'brought_forward':
      return {
        description: `Brought forward from ${formatMonth(line.month)}`,
        quantity: '',
        price: '',
        amount,
      };
    case 'overage':
      return {
        description: line.month
          ? `Late checks of ${formatMonth(line.month)} beyond plan ${line.plan}`
          : `Checks beyond plan ${line.plan}`,
        quantity: formatCount(line.checks),
        price: `${formatMoney(line.price_per_1000, currency)} per 1,000`,
        amount,
      };
    default:
      return {
        description: `${line.kind === 'credit' ? 'Credit' : 'Adjustment'}: ${line.reason}`,
        quantity: '',
        price: '',
        amount,
      };
  }
}
