import type { Upcoming } from '../../api/billing.ts';
import { formatLongDay, formatMoney, formatMonth } from '../../ui/format/format.ts';

/** "November 2026 so far: €42.90. At this pace the invoice shortly after 1 December 2026 will be about €99.00." */
export function upcomingSentence({ month, closes_at, currency, total, expected }: Upcoming): string {
  const soFar = `${formatMonth(month)} so far: ${formatMoney(total, currency)}.`;
  if (expected.total === 0) return `${soFar} At this pace there will be no invoice.`;
  const invoice = `the invoice shortly after ${formatLongDay(closes_at)}`;
  return total === expected.total
    ? `${soFar} At this pace ${invoice} will be the same.`
    : `${soFar} At this pace ${invoice} will be about ${formatMoney(expected.total, currency)}.`;
}
