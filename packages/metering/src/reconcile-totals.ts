import { forgedInvoices, overcreditedInvoices } from '@verdict/db/billing/invoices.js';
import { forgedStatements, statementDifferences } from '@verdict/db/billing/usage-differences.js';
import { type Difference, differencesOf, type Repair } from './difference.js';
import type { Metering } from './metering.js';
import { counterDifferences, repairCounters } from './reconcile-counters.js';

/** Compares Redis counters, statements and invoices with the rollups of a month, account by account. */
export async function reconcileTotals(
  metering: Metering,
  month: string,
  repair: Repair,
): Promise<Difference[]> {
  const { db } = metering;
  const counters = await counterDifferences(metering, month);
  const repaired =
    repair === 'nothing'
      ? undefined
      : await repairCounters(metering, month, counters, {
          madeBy: repair === 'everything' ? 'operator' : 'worker',
          mayLower: repair === 'everything',
        });
  const forged = (ids: readonly string[]) => ids.map((accountId) => ({ accountId, expected: 0, found: 0 }));
  const credited = await overcreditedInvoices(db);
  return [
    ...counters.flatMap((one) =>
      differencesOf(month, one.found > one.expected ? 'loss' : 'counter', [one], repaired),
    ),
    ...differencesOf(month, 'statement', await statementDifferences(db, month)),
    ...differencesOf(month, 'checksum', forged(await forgedStatements(db, month))),
    ...differencesOf(month, 'invoice', forged(await forgedInvoices(db))),
    ...differencesOf(
      month,
      'credit',
      credited.map(({ number, ...totals }) => ({ accountId: number, ...totals })),
    ),
  ];
}
