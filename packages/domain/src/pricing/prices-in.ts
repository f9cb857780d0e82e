import type { Month } from '../month.js';
import type { Plan, Plans } from '../plans.js';

/** Prices and a discount agreed with one account, from a month on. Each entry replaces the one before it. */
export interface AccountTerms {
  readonly from: Month;
  /** The plan that the prices are for. */
  readonly plan: string | null;
  /** Minor units; null for the price of the plan. */
  readonly price_month: number | null;
  readonly price_per_1000_over: number | null;
  /** Hundredths of a percent. */
  readonly discount: number;
}

/** The terms that hold in a month, of an account's terms, oldest first. */
export const termsIn = (terms: readonly AccountTerms[], month: Month): AccountTerms | undefined =>
  terms.findLast(({ from }) => from <= month);

/** The plans with the prices and quotas of a month, for everybody or for one account. */
export function pricesIn(plans: Plans, month: Month, terms?: AccountTerms): Plans {
  return new Map([...plans].map(([name, plan]) => [name, withTerms(planIn(plan, month), terms)]));
}

/** A plan with its prices and quota of a month. */
export function planIn(plan: Plan, month: Month): Plan {
  const change = plan.priceChanges.findLast(({ from }) => from <= month);
  if (!change) return plan;
  const { from: _from, ...changed } = change;
  return { ...plan, ...changed };
}

function withTerms(plan: Plan, terms: AccountTerms | undefined): Plan {
  if (!terms || terms.plan !== plan.name) return plan;
  return {
    ...plan,
    priceMonth: terms.price_month ?? plan.priceMonth,
    pricePer1000Over: terms.price_per_1000_over ?? plan.pricePer1000Over,
  };
}
