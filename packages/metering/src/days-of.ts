import type { Hours } from '@verdict/db/billing/usage-differences.js';

const DAY_MS = 86_400_000;

/** Splits hours into days, so that no comparison holds or sorts more than one. */
export function* daysOf({ start, end }: Hours): Generator<Hours> {
  for (let from = start; from < end; ) {
    const midnight = (Math.floor(from.getTime() / DAY_MS) + 1) * DAY_MS;
    const to = new Date(Math.min(midnight, end.getTime()));
    yield { start: from, end: to };
    from = to;
  }
}
