import { rebuildUsage } from '@verdict/db/billing/billing-months.js';
import {
  doubledChecks,
  rollupDifferences,
  tagDifferences,
  type UsageDifference,
} from '@verdict/db/billing/usage-differences.js';
import type { Database } from '@verdict/db/database/client.js';
import { isArchived } from '@verdict/db/facts/is-archived.js';
import { monthBounds } from '@verdict/domain/month.js';
import { daysOf } from './days-of.js';
import { type Difference, differencesOf, type Repair } from './difference.js';
import type { Metering } from './metering.js';
import { resultDifferences } from './reconcile-results.js';
import { reconcileTotals } from './reconcile-totals.js';

/** Compares logs, results of files, rollups, tags, Redis counters and statements of a whole month. */
export async function reconcile(
  metering: Metering,
  month: string,
  repair: Repair = 'nothing',
): Promise<Difference[]> {
  const { db } = metering;
  // Rows in a file were compared before they went there.
  const areArchived = await isArchived(db, month);
  const rollups = areArchived ? [] : await wrongRollups(db, month);
  const tags = areArchived ? [] : await tagDifferences(db, monthBounds(month));
  const results = areArchived ? [] : await resultDifferences(metering, month, monthBounds(month));
  const repaired = new Set<string>();
  if (repair === 'everything' && rollups.length > 0) {
    await rebuildUsage(db, month);
    for (const { accountId } of rollups) repaired.add(accountId);
    for (const { accountId } of await wrongRollups(db, month)) repaired.delete(accountId);
  }
  const totals = await reconcileTotals(metering, month, repair);
  return [
    ...differencesOf(month, 'double', await doubledChecks(db, month)),
    ...differencesOf(month, 'rollup', rollups, repaired),
    ...differencesOf(month, 'tag', tags),
    ...differencesOf(month, 'result', results),
    ...totals,
  ];
}

/** Accounts with a wrong rollup, and what their wrong days add up to. */
async function wrongRollups(db: Database, month: string): Promise<UsageDifference[]> {
  const accounts = new Map<string, UsageDifference>();
  for (const day of daysOf(monthBounds(month))) {
    for (const { accountId, expected, found } of await rollupDifferences(db, day)) {
      const before = accounts.get(accountId) ?? { expected: 0, found: 0 };
      accounts.set(accountId, {
        accountId,
        expected: before.expected + expected,
        found: before.found + found,
      });
    }
  }
  return [...accounts.values()];
}
