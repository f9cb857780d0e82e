import type { Database } from '../database/client.js';
import { timestampText } from '../database/sql-timestamp.js';

export interface OperatorAccountDetailRow {
  readonly suspended_at: string | null;
  readonly suspended_reason: string | null;
  readonly users: readonly { readonly id: string; readonly email: string; readonly created_at: string }[];
  readonly keys: readonly {
    readonly id: string;
    readonly name: string;
    readonly last_four: string;
    readonly status: string;
    readonly last_used_at: string | null;
  }[];
}

/** Reads the people and keys of an account, and whether it is suspended, for an operator. */
export async function readOperatorAccount(
  db: Database,
  accountId: string,
): Promise<OperatorAccountDetailRow | null> {
  const [accounts, users, keys] = await Promise.all([
    db.$queryRaw<{ suspended_at: string | null; suspended_reason: string | null }[]>`
      SELECT ${timestampText('suspended_at')} AS suspended_at, suspended_reason FROM accounts WHERE id = ${accountId}`,
    db.$queryRaw<OperatorAccountDetailRow['users']>`
      SELECT id, email, ${timestampText('created_at')} AS created_at FROM users
      WHERE account_id = ${accountId} ORDER BY users.created_at`,
    db.$queryRaw<OperatorAccountDetailRow['keys']>`
      SELECT id, name, last_four, status, ${timestampText('last_used_at')} AS last_used_at FROM api_keys
      WHERE account_id = ${accountId} ORDER BY api_keys.created_at`,
  ]);
  const [account] = accounts;
  return account ? { ...account, users, keys } : null;
}
