import type { Subscription } from '../../api/billing.ts';
import { formatCount, formatMoney } from '../../ui/format/format.ts';

/** "50, 80 and 100%" as numbers, in order. The API refuses the rest. */
export const percentagesOf = (text: string): number[] =>
  text
    .split(/[\s,;%]+|and/)
    .filter(Boolean)
    .map(Number)
    .sort((a, b) => a - b);

/** The most that a month may cost beyond its plan. */
export function mostOverQuota({
  checks_limit: stop,
  checks_included: included,
  plans,
}: Subscription): string {
  const plan = plans.find(({ current }) => current);
  const over = Math.max(0, stop - included);
  const most = Math.ceil((over * (plan?.price_per_1000_over ?? 0)) / 1000);
  return `Up to ${formatCount(over)} checks over quota are billed, at most ${formatMoney(most, plan?.currency ?? 'EUR')} a month.`;
}
