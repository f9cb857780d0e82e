import type { Database } from '../database/client.js';
import { text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

/** Whose key it is, whatever became of it: a revoked key is still known (403), a key that never was is not (401). */
export async function findKeyIdentity(
  db: Database,
  secretHash: string,
): Promise<{ accountId: string; keyId: string } | null> {
  const rows = await rowsOf(db, { account_id: text, id: text })`
    SELECT account_id, id FROM api_keys WHERE secret_hash = ${secretHash}
    UNION ALL
    SELECT k.account_id, k.id FROM retired_secrets r JOIN api_keys k ON k.id = r.key_id
    WHERE r.secret_hash = ${secretHash}`;
  const row = rows[0];
  return row ? { accountId: row.account_id, keyId: row.id } : null;
}
