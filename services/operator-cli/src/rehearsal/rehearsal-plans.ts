import { parsePlans } from '@verdict/domain/plans.js';

/** Plans as in earnest, a hundred times smaller, so that a rehearsal needs thousands of checks and not millions. */
export const REHEARSAL_PLANS_FILE = {
  free: { checks_per_month: 100, checks_per_second: 50, retention_days: 30 },
  starter: {
    checks_per_month: 500,
    checks_per_second: 200,
    retention_days: 90,
    price_month: 1900,
    price_per_1000_over: 100,
  },
  growth: {
    checks_per_month: 1500,
    checks_per_second: 1000,
    retention_days: 90,
    price_month: 9900,
    price_per_1000_over: 1960,
    overage: 'bill',
    checks_cap: 15_000,
  },
  scale: {
    checks_per_month: 5000,
    checks_per_second: 5000,
    retention_days: 90,
    price_month: 49_900,
    price_per_1000_over: 1235,
    overage: 'bill',
    checks_cap: 50_000,
  },
};

export const REHEARSAL_PLANS = parsePlans(REHEARSAL_PLANS_FILE);
