import { monthOf } from '@verdict/domain/month.js';
import type { Plan } from '@verdict/domain/plans.js';
import type { nextPrice } from '@verdict/domain/pricing/next-price.js';
import { daysOfMonth } from '@verdict/domain/pricing/plan-days.js';
import { roundedShare } from '@verdict/domain/pricing/rounded-share.js';

/** A plan as customers see it, with what it costs and includes for the rest of this month. */
export const showPlan = (
  plan: Plan,
  current: string,
  next_price: ReturnType<typeof nextPrice>,
  now: Date,
) => ({
  name: plan.name,
  checks_per_month: plan.checksPerMonth,
  checks_per_second: plan.checksPerSecond,
  retention_days: plan.retentionDays,
  bulk_rows_max: plan.bulkRowsMax,
  bulk_kept_bytes: plan.bulkKeptBytes,
  list_entries: plan.listEntries,
  price_month: plan.priceMonth,
  price_per_1000_over: plan.pricePer1000Over,
  overage: plan.overage,
  checks_cap: plan.checksLimit,
  currency: plan.currency,
  current: plan.name === current,
  next_price,
  upgrade: restOfMonth(plan, now),
});

function restOfMonth(plan: Plan, now: Date) {
  const month_days = daysOfMonth(monthOf(now));
  const days = month_days - now.getUTCDate() + 1;
  const share = (whole: number) => roundedShare(whole, days, month_days);
  const checks = plan.priceMonth > 0 ? share(plan.checksPerMonth) : plan.checksPerMonth;
  return { days, month_days, fee: share(plan.priceMonth), checks };
}
