import type { Audit } from '@verdict/db/accounts/audited.js';
import { issueInvoicePage } from '@verdict/db/billing/invoices.js';
import type { Database } from '@verdict/db/database/client.js';
import { countUnissued, noteIssued } from '@verdict/db/database/observations.js';
import { ACCOUNTS_PER_PAGE, type OnProgress } from './month-end-pages.js';

interface Options {
  readonly limit?: number;
  readonly onProgress?: OnProgress | undefined;
  /** The operator who asked for it, noted together with each page; leave it out for a scheduled run. */
  readonly audit?: () => Audit;
}

/**
 * Issues the missing invoices of the closed months and returns how many. Every page is one commit under the lock of the
 * legal entities, so numbers have no gaps and an issuing that was cut off continues where it stopped.
 */
export async function issueInvoices(
  db: Database,
  today: Date,
  { limit = ACCOUNTS_PER_PAGE, onProgress, audit }: Options = {},
): Promise<number> {
  const { ready } = await countUnissued(db);
  let issued = 0;
  let after: { month: string; account_id: string } | null = null;
  for (let count = limit; ready > 0 && count === limit; ) {
    const page: Awaited<ReturnType<typeof issueInvoicePage>> = await issueInvoicePage(db, today, {
      after,
      limit,
      audit: audit?.(),
    });
    count = page.issued;
    issued += count;
    after = page.last;
    await noteIssued(db, count);
    onProgress?.({ what: 'invoices', month: null, done: issued, of: Math.max(ready, issued) });
  }
  if (ready > 0) await countUnissued(db);
  return issued;
}
