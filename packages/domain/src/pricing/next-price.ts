import type { Month } from '../month.js';
import type { Plans } from '../plans.js';
import { type AccountTerms, pricesIn, termsIn } from './prices-in.js';

/** The first change of a plan's prices after a month, as the account will pay them; null while none is announced or agreed. */
export function nextPrice(plans: Plans, name: string, month: Month, terms: readonly AccountTerms[]) {
  const at = (from: Month) => {
    const plan = pricesIn(plans, from, termsIn(terms, from)).get(name);
    return { from, price_month: plan?.priceMonth ?? 0, price_per_1000_over: plan?.pricePer1000Over ?? 0 };
  };
  const now = at(month);
  const announced = plans.get(name)?.priceChanges ?? [];
  const changes = [...announced, ...terms].map(({ from }) => from).filter((from) => from > month);
  const isOther = (then: typeof now) =>
    then.price_month !== now.price_month || then.price_per_1000_over !== now.price_per_1000_over;
  return changes.sort().map(at).find(isOther) ?? null;
}
