import { readOtherPlanChanges } from '@verdict/db/billing/close-month.js';
import type { Month } from '@verdict/domain/month.js';
import type { Plans } from '@verdict/domain/plans.js';
import { planDays } from '@verdict/domain/pricing/plan-days.js';
import type { Metering } from './metering.js';

/** A plan that is not in the plans file has no price: billing it as nothing would be a guess, forced or not. */
export async function unpricedPlan(
  { db }: Pick<Metering, 'db'>,
  plans: Plans,
  month: Month,
): Promise<string | null> {
  const others = await readOtherPlanChanges(db, month, [...plans.keys()]);
  const inForce = others.flatMap(({ changes }) => planDays(changes, month));
  const unknown = [...new Set(inForce.map(({ plan }) => plan))].filter((name) => !plans.has(name)).sort();
  return unknown.length > 0
    ? `the plans file lacks ${unknown.join(', ')}, on which accounts were in that month`
    : null;
}
