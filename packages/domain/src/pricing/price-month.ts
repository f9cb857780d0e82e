import type { Month } from '../month.js';
import type { Plan, Plans } from '../plans.js';
import type { PlanDays, StatementLine } from '../statement-line.js';
import { daysOfMonth, type PlanChange, planDays } from './plan-days.js';
import { type AccountTerms, pricesIn, termsIn } from './prices-in.js';
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

/** Checks of an earlier month that were counted after it had been closed. */
export interface LateChecks {
  readonly month: Month;
  readonly checks: number;
  /** The plan of that month's statement. */
  readonly plan: string;
  /** Checks that were billed for that month before these. */
  readonly billed: number;
}

/** All that decides what an account owes for a month. */
export interface AccountMonth {
  readonly account_id: string;
  /** Every change of plan before the month's end that was not withdrawn, oldest first. */
  readonly changes: readonly PlanChange[];
  readonly used: number;
  readonly late: readonly LateChecks[];
  /** The amount that the last statement carried forward in the customer's favour. */
  readonly brought: { readonly month: Month; readonly amount: number } | null;
  readonly by_decision: Readonly<Record<string, number>>;
  readonly by_key: Readonly<Record<string, number>>;
  readonly by_hand: readonly AdjustmentByHand[];
  /** Prices and discounts agreed with it, oldest first. */
  readonly terms: readonly AccountTerms[];
  /** Hundredths of a percent. */
  readonly tax_rate: number;
}

/** Computes the amount that an account owes for a month, in minor units. */
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
export function priceMonth(month: Month, account: AccountMonth, listed: Plans): Bill | null {
  const { account_id, used, late, brought, by_decision, by_key, by_hand, terms, tax_rate } = account;
  const agreed = termsIn(terms, month);
  const plans = pricesIn(listed, month, agreed);
  const days = planDays(account.changes, month);
  if (days.length === 0 && used === 0 && late.length === 0 && by_hand.length === 0) return null;
  const largest = largestOf(days, plans);
  const entitled = entitledBy(days, month, plans);
  const corrected = sum(by_hand.map(({ checks }) => checks));
  const billable = Math.max(used + corrected, 0);
  const fees = feesOf(days, month, plans);
  const owed: StatementLine[] = [
    ...(brought ? [{ kind: 'brought_forward' as const, month: brought.month, amount: -brought.amount }] : []),
    ...discounted(
      [
        ...fees,
        ...planChecksOf(billable, entitled, largest, sumOf(fees)),
        ...overageOf(Math.max(billable - (largest?.checksPerMonth ?? 0), 0), largest),
      ],
      agreed,
    ),
    ...late.flatMap((one) => lateOverageOf(one, terms, listed)),
    ...by_hand.filter(({ amount }) => amount !== 0).map(({ checks: _checks, ...line }) => line),
  ];
  const left = -sumOf(owed);
  const lines = left > 0 ? [...owed, { kind: 'carried_forward' as const, amount: left }] : owed;
  const subtotal = sumOf(lines);
  const tax = taxOn(subtotal, tax_rate);
  return {
    month,
    account_id,
    plan: largest?.name ?? 'none',
    entitled,
    used,
    adjusted: corrected + sum(late.map(({ checks }) => checks)),
    over: Math.max(billable - entitled, 0),
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

/**
 * Checks that the fees of the days include. A plan without a fee includes all of its checks in any month it was in force,
 * and together they never include more than the largest plan does in a whole month.
 */
function entitledBy(days: readonly PlanDays[], month: Month, plans: Plans): number {
  const inForce = days.flatMap((span) => {
    const plan = plans.get(span.plan);
    return plan ? [{ plan, days: span.days }] : [];
  });
  const paid = inForce.map(({ plan, days }) =>
    plan.priceMonth > 0 ? roundedShare(plan.checksPerMonth, days, daysOfMonth(month)) : 0,
  );
  const free = inForce.map(({ plan }) => (plan.priceMonth === 0 ? plan.checksPerMonth : 0));
  const largest = Math.max(0, ...inForce.map(({ plan }) => plan.checksPerMonth));
  return Math.min(sum(paid) + Math.max(0, ...free), largest);
}

/**
 * Checks beyond the entitlement by days and within the largest plan's quota: they cost what is missing to its whole fee, in
 * proportion. So a day of a plan does not buy its month, and nobody pays more than the month.
 */
function planChecksOf(
  billable: number,
  entitled: number,
  plan: Plan | undefined,
  fees: number,
): StatementLine[] {
  if (!plan) return [];
  const of_checks = plan.checksPerMonth - entitled;
  const checks = Math.min(billable, plan.checksPerMonth) - entitled;
  const price = plan.priceMonth - fees;
  if (checks <= 0 || price <= 0) return [];
  const amount = roundedShare(price, checks, of_checks);
  return [{ kind: 'plan_checks', plan: plan.name, checks, of_checks, price, amount }];
}

/** Late checks cost what they would have cost in their own month, so they never use the quota or the prices of another. */
function lateOverageOf(
  { month, checks, billed, plan: name }: LateChecks,
  terms: readonly AccountTerms[],
  listed: Plans,
): StatementLine[] {
  const agreed = termsIn(terms, month);
  const plan = pricesIn(listed, month, agreed).get(name);
  const over = (count: number) => Math.max(count - (plan?.checksPerMonth ?? 0), 0);
  const lines = overageOf(over(billed + checks) - over(billed), plan);
  return discounted(lines, agreed).map((line) => ({ ...line, month }));
}

/** The lines of a month, and the discount on all of them. */
function discounted<Line extends StatementLine>(
  lines: readonly Line[],
  terms: AccountTerms | undefined,
): (Line | DiscountLine)[] {
  const percent = terms?.discount ?? 0;
  const amount = -roundedShare(sumOf(lines), percent, 10_000);
  return amount === 0 ? [...lines] : [...lines, { kind: 'discount', percent, amount }];
}

function overageOf(checks: number, plan: Plan | undefined): OverageLine[] {
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

type DiscountLine = Extract<StatementLine, { kind: 'discount' }>;
type OverageLine = Extract<StatementLine, { kind: 'overage' }>;

const sumOf = (lines: readonly StatementLine[]): number => sum(lines.map(({ amount }) => amount));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
