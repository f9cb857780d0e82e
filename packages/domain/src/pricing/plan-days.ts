import { type Month, monthBounds } from '../month.js';
import type { PlanDays } from '../statement-line.js';

const DAY_MS = 86_400_000;

/** A change of plan that holds; `none` when the account was deleted. */
export interface PlanChange {
  readonly plan: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export const daysOfMonth = (month: Month): number => {
  const { start, end } = monthBounds(month);
  return (end.getTime() - start.getTime()) / DAY_MS;
};

/**
 * The plans of a month with their days, from an account's changes, oldest first. A day belongs to the plan in force at its
 * end; the day of a deletion to the last plan before it, because what was used on it is paid for.
 */
export function planDays(changes: readonly PlanChange[], month: Month): PlanDays[] {
  const moments = changes.map(({ plan, at }) => ({ plan, ms: Date.parse(at) }));
  const spans: { plan: string; from: string; to: string; days: number }[] = [];
  let before = 'none';
  for (let number = 1; number <= daysOfMonth(month); number++) {
    const day = `${month}-${String(number).padStart(2, '0')}`;
    const end = Date.parse(`${day}T00:00:00Z`) + DAY_MS;
    const atEnd = moments.findLastIndex(({ ms }) => ms < end);
    const deleted = moments[atEnd]?.plan === 'none' && (moments[atEnd]?.ms ?? 0) >= end - DAY_MS;
    const plan = moments[deleted ? atEnd - 1 : atEnd]?.plan ?? 'none';
    const last = spans.at(-1);
    if (plan !== 'none' && last && plan === before) Object.assign(last, { to: day, days: last.days + 1 });
    else if (plan !== 'none') spans.push({ plan, from: day, to: day, days: 1 });
    before = plan;
  }
  return spans;
}
