import type { Plan } from '@verdict/domain/plans.js';

/** A plan as customers see it. */
export const showPlan = (plan: Plan, current: string) => ({
  name: plan.name,
  checks_per_month: plan.checksPerMonth,
  checks_per_second: plan.checksPerSecond,
  retention_days: plan.retentionDays,
  price_month: plan.priceMonth,
  price_per_1000_over: plan.pricePer1000Over,
  overage: plan.overage,
  checks_cap: plan.checksLimit,
  currency: plan.currency,
  current: plan.name === current,
});
