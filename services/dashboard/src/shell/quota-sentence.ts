import type { Subscription } from '../api/billing.ts';
import { formatCount, formatLongDay, formatMoney, formatShare } from '../ui/format/format.ts';
import { runsOutOn } from '../ui/quota/forecast.ts';
import { SHELL_TEXTS as TEXTS } from './texts.ts';

const WARN_FROM = 0.8;

/** How far the month's checks are used; null below 80 %. */
export function quotaSentence(subscription: Subscription, now: number): string | null {
  const { checks_used: used, checks_limit: limit, checks_included: included, period } = subscription;
  const resets = formatLongDay(subscription.resets_at);
  if (used >= limit) return TEXTS.usedUp(formatCount(limit), resets);
  const plan = subscription.plans.find(({ current }) => current);
  if (subscription.overage === 'bill' && used >= included && plan) {
    const price = formatMoney(plan.price_per_1000_over, plan.currency);
    return TEXTS.billed(formatCount(included), price, formatCount(limit));
  }
  const quota = subscription.overage === 'bill' ? included : limit;
  if (used < quota * WARN_FROM) return null;
  const out = runsOutOn({ used, limit: quota, start: period.start, end: period.end }, now);
  const pace = out ? TEXTS.lasts(formatLongDay(out)) : TEXTS.resets(resets);
  return `${TEXTS.used(formatShare(used, quota), formatCount(quota))} ${pace}`;
}
