import { canonicalText } from '@verdict/contracts/canonical-text.js';
import {
  countBillable,
  freezeMonth,
  readAccountMonths,
  statedSoFar,
  writeStatements,
} from '@verdict/db/billing/close-month.js';
import type { Database } from '@verdict/db/database/client.js';
import { noteClosing } from '@verdict/db/database/observations.js';
import type { Month } from '@verdict/domain/month.js';
import type { Plans } from '@verdict/domain/plans.js';
import { priceMonth } from '@verdict/domain/pricing/price-month.js';
import { ACCOUNTS_PER_PAGE, type OnProgress } from './month-end-pages.js';

/**
 * Closes a month for every account and returns how many statements were written: none when it was closed before. Counting
 * ends first, so the figures that are priced cannot change, and every page of accounts is one commit: a closing that was
 * cut off continues after the last one.
 */
export async function closeMonth(
  db: Database,
  month: Month,
  plans: Plans,
  { limit = ACCOUNTS_PER_PAGE, onProgress }: { limit?: number; onProgress?: OnProgress | undefined } = {},
): Promise<number> {
  if (!(await freezeMonth(db, month))) return 0;
  const accounts = await countBillable(db, month);
  const { last: after, count } = await statedSoFar(db, month);
  let done = count;
  let written = 0;
  for await (const page of readAccountMonths(db, month, { after, limit })) {
    const bills = page.flatMap((account) => priceMonth(month, account, plans) ?? []);
    written += await writeStatements(db, month, bills.map(canonicalText), false);
    done += bills.length;
    await noteClosing(db, { month, done, of: Math.max(accounts, done) });
    onProgress?.({ what: 'statements', month, done, of: Math.max(accounts, done) });
  }
  await writeStatements(db, month, [], true);
  await noteClosing(db, { month, done, of: done });
  return written;
}
