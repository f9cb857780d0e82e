import { KEY_MODES, KEY_SCOPES } from '@verdict/domain/key-words.js';
import type { Database } from '../database/client.js';
import { bool, list, oneOf, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

const KeyStanding = {
  accountId: text,
  keyId: text,
  /** A key that was revoked or switched off, a rolled secret past its time, a suspended account: known, and refused. */
  active: bool,
  expired: bool,
  /** Networks that the value may be used from; none: from anywhere. */
  allowedIps: list(text),
  scopes: list(oneOf(...KEY_SCOPES)),
  mode: oneOf(...KEY_MODES),
};
export type KeyStanding = RowOf<typeof KeyStanding>;

/** Whose key it is and on which terms it may be used now; null for one that never was. */
export async function findKeyStanding(db: Database, secretHash: string): Promise<KeyStanding | null> {
  const rows = await rowsOf(db, KeyStanding)`
    SELECT k.account_id AS "accountId", k.id AS "keyId",
      k.status = 'active' AND a.suspended_at IS NULL AND s.ends_at > now() AS active,
      coalesce(k.expires_at <= now(), false) AS expired, k.allowed_ips AS "allowedIps", k.scopes, k.mode
    FROM (
      SELECT id AS key_id, 'infinity'::timestamptz AS ends_at FROM api_keys WHERE secret_hash = ${secretHash}
      UNION ALL
      SELECT key_id, expires_at FROM retired_secrets WHERE secret_hash = ${secretHash}
    ) s JOIN api_keys k ON k.id = s.key_id JOIN accounts a ON a.id = k.account_id`;
  return rows[0] ?? null;
}
