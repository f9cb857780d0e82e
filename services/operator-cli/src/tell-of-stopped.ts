import { listUnissued } from '@verdict/db/billing/unissued-invoices.js';
import type { Database } from '@verdict/db/database/client.js';

/** Names the invoices of closed months that wait, with the reason, on the standard error. */
export async function tellOfStopped(db: Database): Promise<void> {
  for (const { month, account_id, name, stopped } of await listUnissued(db)) {
    if (stopped === null) continue;
    process.stderr.write(`${account_id} (${name}): no invoice for ${month}: ${stopped}\n`);
  }
}
