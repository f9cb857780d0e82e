import type { Usage, UsageStep } from '../../api/usage.ts';
import { formatDay, formatLongDay, formatMonth } from '../format/format.ts';
import type { ChartPoint } from './DecisionChart.tsx';

type Counts = { allow: number; challenge: number; review: number; block: number };

const HOUR_MS = 3_600_000;

/** Every hour, day or month of the range, also those without a check: an axis has no holes. */
export function pointsByStep(usage: Usage, from: string, to: string): ChartPoint[] {
  const sums = new Map<string, Counts>();
  for (const key of stepsBetween(usage.by, from, to)) sums.set(key, emptyCounts());
  for (const { at, decision, checks } of usage.rows) {
    const key = keyOf(usage.by, at);
    const counts = sums.get(key) ?? emptyCounts();
    counts[decision] += checks;
    sums.set(key, counts);
  }
  return [...sums].map(([key, counts]) => ({ ...namesOf(usage.by, key), counts }));
}

const emptyCounts = (): Counts => ({ allow: 0, challenge: 0, review: 0, block: 0 });

const LENGTHS: Record<UsageStep, number> = { hour: 13, day: 10, month: 7 };
const keyOf = (by: UsageStep, at: string): string => at.slice(0, LENGTHS[by]);

function* stepsBetween(by: UsageStep, from: string, to: string): Generator<string> {
  const end = new Date(`${to}T23:59:59Z`).getTime();
  let at = new Date(`${by === 'month' ? from.slice(0, 7).concat('-01') : from}T00:00:00Z`);
  while (at.getTime() <= end) {
    yield keyOf(by, at.toISOString());
    at =
      by === 'month'
        ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
        : new Date(at.getTime() + (by === 'hour' ? HOUR_MS : 24 * HOUR_MS));
  }
}

function namesOf(by: UsageStep, key: string): { title: string; label: string } {
  if (by === 'month') return { title: formatMonth(key), label: key };
  if (by === 'day') return { title: formatLongDay(key), label: formatDay(key) };
  const hour = `${key.slice(11)}:00`;
  return {
    title: `${formatLongDay(key.slice(0, 10))}, ${hour}`,
    label: hour === '00:00' ? formatDay(key.slice(0, 10)) : hour,
  };
}
