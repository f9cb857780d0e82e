import { countStopped, listUnissued } from '@verdict/db/billing/unissued-invoices.js';
import type { Database } from '@verdict/db/database/client.js';

/** Named one by one; the rest is counted by reason. */
const NAMED_MAX = 50;

/** Names the invoices of closed months that wait, with the reason, on the standard error. */
export async function tellOfStopped(db: Database): Promise<void> {
  const waiting = await listUnissued(db, NAMED_MAX);
  for (const { month, account_id, name, stopped } of waiting) {
    if (stopped === null) continue;
    process.stderr.write(`${account_id} (${name}): no invoice for ${month}: ${stopped}\n`);
  }
  if (waiting.length < NAMED_MAX) return;
  for (const { stopped, invoices } of await countStopped(db)) {
    process.stderr.write(`${invoices} invoices wait in all: ${stopped}\n`);
  }
}
