import { canonicalText } from '@verdict/contracts/canonical-text.js';
import { freezeMonth, readAccountMonths, writeStatements } from '@verdict/db/billing/close-month.js';
import type { Database } from '@verdict/db/database/client.js';
import type { Month } from '@verdict/domain/month.js';
import type { Plans } from '@verdict/domain/plans.js';
import { priceMonth } from '@verdict/domain/pricing/price-month.js';

/**
 * Closes a month for every account and returns how many statements were written: none when it was closed before. Counting
 * ends first, so the figures that are priced cannot change, and a closing that was cut off is repeated without harm.
 */
export async function closeMonth(db: Database, month: Month, plans: Plans): Promise<number> {
  if (!(await freezeMonth(db, month))) return 0;
  const bills = (await readAccountMonths(db, month)).flatMap(
    (account) => priceMonth(month, account, plans) ?? [],
  );
  return writeStatements(db, month, bills.map(canonicalText));
}
