import { openMonths } from '@verdict/db/billing/billing-months.js';
import { monthBounds } from '@verdict/domain/month.js';
import type { Plans } from '@verdict/domain/plans.js';
import { agreedNow } from './agreed-now.js';
import { closeMonth } from './close-month.js';
import type { Metering } from './metering.js';
import type { OnProgress } from './month-end-pages.js';
import { pendingOfMonth } from './pending-of-month.js';
import { unpricedPlan } from './unpriced-plan.js';

export type Closing =
  | { readonly month: string; readonly outcome: 'closed'; readonly statements: number }
  | { readonly month: string; readonly outcome: 'refused'; readonly reason: string };

interface Options {
  readonly plans: Plans;
  readonly graceMs: number;
  /** Only up to this month; without it, every month whose grace is over. */
  readonly month?: string;
  /** Close despite queued checks: they become adjustments. */
  readonly force?: boolean;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Closes due months, oldest first, and stops at the first that cannot be closed. Throws when Redis and Postgres
 * disagree about the time, forced or not, because it is then unknown which month has ended.
 */
export async function closeMonths(metering: Metering, options: Options): Promise<Closing[]> {
  const { plans, graceMs, month: until, force = false, onProgress } = options;
  const now = await agreedNow(metering);
  const closings: Closing[] = [];
  for (const month of await openMonths(metering.db)) {
    if (until !== undefined && month > until) break;
    if (monthBounds(month).end.getTime() + graceMs > now) break;
    const reason =
      (await unpricedPlan(metering, plans, month)) ?? (force ? null : await pendingOfMonth(metering, month));
    if (reason !== null) {
      closings.push({ month, outcome: 'refused', reason });
      break;
    }
    const statements = await closeMonth(metering.db, month, plans, { onProgress });
    closings.push({ month, outcome: 'closed', statements });
  }
  return closings;
}
