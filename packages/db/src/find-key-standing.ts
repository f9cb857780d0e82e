import type { Database } from './client.js';

export interface KeyStanding {
  readonly accountId: string;
  readonly keyId: string;
  /** A key that was revoked or switched off, a rolled secret past its time, a suspended account: known, and refused. */
  readonly active: boolean;
}

/** Whose key it is and whether it may be used now; null for one that never was. */
export async function findKeyStanding(db: Database, secretHash: string): Promise<KeyStanding | null> {
  const rows = await db.$queryRaw<{ account_id: string; id: string; active: boolean }[]>`
    SELECT k.account_id, k.id, k.status = 'active' AND a.suspended_at IS NULL AS active
    FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.secret_hash = ${secretHash}
    UNION ALL
    SELECT k.account_id, k.id, k.status = 'active' AND a.suspended_at IS NULL AND r.expires_at > now()
    FROM retired_secrets r JOIN api_keys k ON k.id = r.key_id JOIN accounts a ON a.id = k.account_id
    WHERE r.secret_hash = ${secretHash}`;
  const row = rows[0];
  return row ? { accountId: row.account_id, keyId: row.id, active: row.active } : null;
}
