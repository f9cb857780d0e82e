import { noteReconciledTo, reconciledTo } from '@verdict/db/billing/reconciled-to.js';
import { doubledChecks, rollupDifferences } from '@verdict/db/billing/usage-differences.js';
import { monthBounds } from '@verdict/domain/month.js';
import { daysOf } from './days-of.js';
import { type Difference, differencesOf } from './difference.js';
import type { Metering } from './metering.js';
import { resultDifferences } from './reconcile-results.js';
import { reconcileTotals } from './reconcile-totals.js';

const HOUR_MS = 3_600_000;

/**
 * Reconciles a month on schedule: compares rows only of hours that ended since they last agreed, so that a day costs what
 * is new in it, and of the whole month once more after it was closed, which finds what arrived late. Hours that differ are
 * compared and reported again until they are repaired.
 */
export async function reconcileNew(metering: Metering, month: string, now: Date): Promise<Difference[]> {
  const { db } = metering;
  const { start, end } = monthBounds(month);
  const lastHour = now.getTime() - (now.getTime() % HOUR_MS);
  let agreed = await reconciledTo(db, month);
  const found: Difference[] = [];
  // Nothing can repair a result without its log, so it is named once and does not hold the hours back.
  const results: Difference[] = [];
  for (const day of daysOf({
    start: agreed ?? start,
    end: new Date(Math.min(end.getTime(), lastHour)),
  })) {
    found.push(
      ...differencesOf(month, 'double', await doubledChecks(db, month, day)),
      ...differencesOf(month, 'rollup', await rollupDifferences(db, day)),
    );
    results.push(...differencesOf(month, 'result', await resultDifferences(metering, month, day)));
    if (found.length === 0 && (await noteReconciledTo(db, month, agreed, day.end))) agreed = day.end;
  }
  return [...found, ...results, ...(await reconcileTotals(metering, month, 'counters'))];
}
