import type { Database } from '../database/client.js';
import { text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { SealedHookRow } from './hook-row.js';

/** A hook of any account, for gateways that miss it in Redis; null when there is none. */
export async function findHook(
  db: Database,
  id: string,
): Promise<(SealedHookRow & { readonly account_id: string }) | null> {
  const rows = await rowsOf(db, { ...SealedHookRow, account_id: text })`
    SELECT id, account_id, kind, key_id, refuse, on_error, message, secret FROM hooks WHERE id = ${id}`;
  return rows[0] ?? null;
}
