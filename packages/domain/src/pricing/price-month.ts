import type { Month } from '../month.js';
import type { Plan, Plans } from '../plans.js';
import type { PlanDays, StatementLine } from '../statement-line.js';
import { daysOfMonth, type PlanChange, planDays } from './plan-days.js';
import { roundedShare } from './rounded-share.js';

/** A correction by hand that this month's statement carries. */
export interface AdjustmentByHand {
  readonly id: number;
  readonly kind: 'adjustment' | 'credit';
  readonly checks: number;
  /** Minor units. */
  readonly amount: number;
  readonly reason: string;
}

/** All that decides what an account owes for a month. */
export interface AccountMonth {
  readonly account_id: string;
  /** Every change of plan before the month's end that was not withdrawn, oldest first. */
  readonly changes: readonly PlanChange[];
  readonly used: number;
  /** Checks of earlier months that were counted after these had been closed. */
  readonly late: number;
  readonly by_decision: Readonly<Record<string, number>>;
  readonly by_key: Readonly<Record<string, number>>;
  readonly by_hand: readonly AdjustmentByHand[];
  /** Hundredths of a percent. */
  readonly tax_rate: number;
}

/** What an account owes for a month; amounts in minor units. */
export interface Bill {
  readonly month: Month;
  readonly account_id: string;
  readonly plan: string;
  readonly entitled: number;
  readonly used: number;
  readonly adjusted: number;
  readonly over: number;
  readonly by_decision: Readonly<Record<string, number>>;
  readonly by_key: Readonly<Record<string, number>>;
  readonly plans: readonly PlanDays[];
  readonly currency: string;
  readonly lines: readonly StatementLine[];
  readonly subtotal: number;
  readonly tax_rate: number;
  readonly tax: number;
  readonly total: number;
}

/** Prices one month of one account; docs/billing.md states the rules. Null when the account had no part in the month. */
export function priceMonth(month: Month, account: AccountMonth, plans: Plans): Bill | null {
  const { account_id, used, late, by_decision, by_key, by_hand, tax_rate } = account;
  const days = planDays(account.changes, month);
  if (days.length === 0 && used === 0 && late === 0 && by_hand.length === 0) return null;
  const largest = largestOf(days, plans);
  const entitled = largest?.checksPerMonth ?? 0;
  const adjusted = late + sum(by_hand.map(({ checks }) => checks));
  const over = Math.max(used + adjusted - entitled, 0);
  const lines = [
    ...feesOf(days, month, plans),
    ...overageOf(over, largest),
    ...by_hand.filter(({ amount }) => amount !== 0).map(({ checks: _checks, ...line }) => line),
  ];
  const subtotal = sum(lines.map(({ amount }) => amount));
  const tax = taxOn(subtotal, tax_rate);
  return {
    month,
    account_id,
    plan: largest?.name ?? 'none',
    entitled,
    used,
    adjusted,
    over,
    by_decision,
    by_key,
    plans: days,
    currency: currencyOf(plans),
    lines,
    subtotal,
    tax_rate,
    tax,
    total: subtotal + tax,
  };
}

const taxOn = (subtotal: number, rate: number): number => roundedShare(subtotal, rate, 10_000);

/** The plan in force with the most checks; of equal ones the later. */
function largestOf(days: readonly PlanDays[], plans: Plans): Plan | undefined {
  const inForce = days.flatMap(({ plan }) => plans.get(plan) ?? []);
  return inForce.reduce<Plan | undefined>(
    (largest, plan) => (largest && largest.checksPerMonth > plan.checksPerMonth ? largest : plan),
    undefined,
  );
}

function feesOf(days: readonly PlanDays[], month: Month, plans: Plans): StatementLine[] {
  const month_days = daysOfMonth(month);
  return days.flatMap((span) => {
    const price_month = plans.get(span.plan)?.priceMonth ?? 0;
    const amount = roundedShare(price_month, span.days, month_days);
    return price_month > 0 ? [{ kind: 'plan' as const, ...span, month_days, price_month, amount }] : [];
  });
}

function overageOf(checks: number, plan: Plan | undefined): StatementLine[] {
  if (checks === 0 || plan?.overage !== 'bill' || plan.pricePer1000Over === 0) return [];
  const price_per_1000 = plan.pricePer1000Over;
  const amount = roundedShare(checks, price_per_1000, 1_000);
  return [{ kind: 'overage', plan: plan.name, checks, price_per_1000, amount }];
}

/** One for all plans: the plans file is refused otherwise. */
function currencyOf(plans: Plans): string {
  const [first] = plans.values();
  if (!first) throw new Error('there are no plans to bill by');
  return first.currency;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
