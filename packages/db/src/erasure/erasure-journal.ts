import type { Database } from '../database/client.js';
import { list, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import type { TakenErasure } from './subject-erasures.js';

/** The erasures without names: addresses by keyed hash, accounts by id. */
export type ErasureLine =
  | { readonly kind: 'address'; readonly id: string; readonly hashes: readonly string[]; readonly at: string }
  | ({ readonly kind: 'address_of_account'; readonly at: string } & Omit<
      TakenErasure,
      'lease' | 'requested_at'
    >)
  | { readonly kind: 'account'; readonly id: string; readonly at: string };

/** Everything that was forgotten so far, oldest first. */
export async function readErasureJournal(db: Database): Promise<ErasureLine[]> {
  const addresses = await rowsOf(db, { id: text, hashes: list(text), at: text })`
    SELECT id, array_prepend(email_hash, spelling_hashes) AS hashes, ${timestampText('created_at')} AS at FROM erasures
    ORDER BY created_at, id`;
  const accounts = await rowsOf(db, { id: text, at: text })`
    SELECT account_id AS id, ${timestampText('made_at')} AS at FROM plan_changes WHERE to_plan = 'none' ORDER BY made_at`;
  const ofAccounts = await rowsOf(db, {
    id: text,
    account_id: text,
    hashes: list(text),
    file_hashes: list(text),
    at: text,
  })`
    SELECT id, account_id, hashes, file_hashes::text[] AS file_hashes, ${timestampText('requested_at')} AS at FROM subject_erasures
    ORDER BY requested_at, id`;
  return [
    ...ofAccounts.map((line) => ({ kind: 'address_of_account' as const, ...line })),
    ...addresses.map((line) => ({ kind: 'address' as const, ...line })),
    ...accounts.map((line) => ({ kind: 'account' as const, ...line })),
  ];
}

/** The receipt of an erasure that a restored database does not know. */
export async function keepErasure(
  db: Database,
  id: string,
  hashes: readonly string[],
  at: string,
): Promise<void> {
  const [emailHash = '', ...others] = hashes;
  await db.$executeRaw`
    INSERT INTO erasures (id, email_hash, spelling_hashes, checks, dead_letters, created_at)
    VALUES (${id}, ${emailHash}, ${others}::text[], 0, 0, ${at}::timestamptz) ON CONFLICT (id) DO NOTHING`;
}
