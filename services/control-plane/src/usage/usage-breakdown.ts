import type { UsageBreakdown } from '@verdict/contracts/control-plane-api.js';
import type { UsageRow } from '@verdict/db/billing/usage-reading.js';

/** Daily sums as the public usage answer shows them: by decision over all, and by day. */
export function usageBreakdown(rows: readonly UsageRow[]): UsageBreakdown {
  const by_decision = { allow: 0, challenge: 0, review: 0, block: 0 };
  const days = new Map<string, number>();
  for (const { at, decision, checks } of rows) {
    const date = at.slice(0, 10);
    if (decision in by_decision) by_decision[decision as keyof typeof by_decision] += Number(checks);
    days.set(date, (days.get(date) ?? 0) + Number(checks));
  }
  return { by_decision, by_day: [...days].map(([date, checks]) => ({ date, checks })) };
}
