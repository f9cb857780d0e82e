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
  readonly by_tag: Readonly<Record<string, number>>;
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
  readonly by_tag: Readonly<Record<string, number>>;
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
  const { account_id, used, late, brought, by_decision, by_key, by_tag, by_hand, terms, tax_rate } = account;
  const agreed = termsIn(terms, month);
  const plans = pricesIn(listed, month, agreed);
  const days = planDays(account.changes, month);
  if (days.length === 0 && used === 0 && late.length === 0 && by_hand.length === 0) return null;
  const largest = largestOf(days, plans);
  const entitled = entitledBy(days, month, plans);
  const corrected = sum(by_hand.map(({ checks }) => checks));
  const billable = Math.max(used + corrected, 0);
  const owed: StatementLine[] = [
    ...(brought ? [{ kind: 'brought_forward' as const, month: brought.month, amount: -brought.amount }] : []),
    ...chargesOf(days, month, plans, agreed, billable),
    ...late.flatMap((one) => lateChargesOf(one, account, listed)),
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
    by_tag,
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

function feesOf(days: readonly PlanDays[], month: Month, plans: Plans): ChargeLine[] {
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
): ChargeLine[] {
  if (!plan) return [];
  const of_checks = plan.checksPerMonth - entitled;
  const checks = Math.min(billable, plan.checksPerMonth) - entitled;
  const price = plan.priceMonth - fees;
  if (checks <= 0 || price <= 0) return [];
  const amount = roundedShare(price, checks, of_checks);
  return [{ kind: 'plan_checks', plan: plan.name, checks, of_checks, price, amount }];
}

/** The lines of a month by its checks: fees, checks beyond the days and beyond the quota, and the discount on all of them. */
function chargesOf(
  days: readonly PlanDays[],
  month: Month,
  plans: Plans,
  agreed: AccountTerms | undefined,
  billable: number,
): ChargeLine[] {
  const largest = largestOf(days, plans);
  const fees = feesOf(days, month, plans);
  return discounted(
    [
      ...fees,
      ...planChecksOf(billable, entitledBy(days, month, plans), largest, sumOf(fees)),
      ...overageOf(Math.max(billable - (largest?.checksPerMonth ?? 0), 0), largest),
    ],
    agreed,
  );
}

/**
 * Late checks cost the bill of their month with them less the bill without them, by its days, prices and quota. So it
 * does not matter when a check arrives, and none uses the quota or the prices of another month.
 */
function lateChargesOf(
  { month, checks, billed }: LateChecks,
  { changes, terms }: AccountMonth,
  listed: Plans,
): StatementLine[] {
  const agreed = termsIn(terms, month);
  const charges = (billable: number) =>
    chargesOf(
      planDays(changes, month),
      month,
      pricesIn(listed, month, agreed),
      agreed,
      Math.max(billable, 0),
    );
  const before = charges(billed);
  const after = charges(billed + checks);
  const lineOf = <Kind extends ChargeLine['kind']>(lines: readonly ChargeLine[], kind: Kind) =>
    lines.find((line): line is Extract<ChargeLine, { kind: Kind }> => line.kind === kind);
  return (['plan_checks', 'overage', 'discount'] as const).flatMap((kind): StatementLine[] => {
    const [was, is] = [lineOf(before, kind), lineOf(after, kind)];
    const line = is ?? was;
    const amount = (is?.amount ?? 0) - (was?.amount ?? 0);
    if (!line || amount === 0) return [];
    if (line.kind === 'discount') return [{ ...line, month, amount }];
    return [{ ...line, month, checks: checksOf(is) - checksOf(was), amount }];
  });
}

const checksOf = (line: { readonly kind: string; readonly checks?: number } | undefined): number =>
  line?.checks ?? 0;

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

type ChargeLine = Extract<StatementLine, { kind: 'plan' | 'plan_checks' | 'overage' | 'discount' }>;
type DiscountLine = Extract<StatementLine, { kind: 'discount' }>;
type OverageLine = Extract<StatementLine, { kind: 'overage' }>;

const sumOf = (lines: readonly StatementLine[]): number => sum(lines.map(({ amount }) => amount));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
