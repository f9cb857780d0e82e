import type { Subscription } from '../api/billing.ts';
import { formatCount, formatLongDay, formatMoney, formatShare } from '../ui/format/format.ts';
import { runsOutOn } from '../ui/quota/forecast.ts';

const WARN_FROM = 0.8;

/** How far the month's checks are used; null below 80 %. */
export function quotaSentence(subscription: Subscription, now: number): string | null {
  const { checks_used: used, checks_limit: limit, checks_included: included, period } = subscription;
  const resets = formatLongDay(subscription.resets_at);
  if (used >= limit)
    return `You have used all ${formatCount(limit)} checks. New checks are refused until ${resets} or an upgrade.`;
  const plan = subscription.plans.find(({ current }) => current);
  if (subscription.overage === 'bill' && used >= included && plan) {
    const price = formatMoney(plan.price_per_1000_over, plan.currency);
    return `You have used the ${formatCount(included)} included checks. Further checks cost ${price} per 1,000, up to ${formatCount(limit)}.`;
  }
  const quota = subscription.overage === 'bill' ? included : limit;
  if (used < quota * WARN_FROM) return null;
  const out = runsOutOn({ used, limit: quota, start: period.start, end: period.end }, now);
  const pace = out ? `At this pace they last until ${formatLongDay(out)}.` : `They reset on ${resets}.`;
  return `${`You have used ${formatShare(used, quota)} of ${formatCount(quota)} checks.`} ${pace}`;
}
