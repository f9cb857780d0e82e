import type { Database } from '../database/client.js';
import { columnsOf, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';

const User = columnsOf('operatorUser');
const Key = columnsOf('operatorKey');
const Suspension = { suspended_at: nullable(text), suspended_reason: nullable(text) };
export type OperatorAccountDetailRow = RowOf<typeof Suspension> & {
  readonly users: readonly RowOf<typeof User>[];
  readonly keys: readonly RowOf<typeof Key>[];
};

/** Reads the people and keys of an account, and whether it is suspended, for an operator. */
export async function readOperatorAccount(
  db: Database,
  accountId: string,
): Promise<OperatorAccountDetailRow | null> {
  const [accounts, users, keys] = await Promise.all([
    rowsOf(db, Suspension)`
      SELECT ${timestampText('suspended_at')} AS suspended_at, suspended_reason FROM accounts WHERE id = ${accountId}`,
    rowsOf(db, User)`
      SELECT u.id, u.email, ${timestampText('u.created_at')} AS created_at
      FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.account_id = ${accountId} ORDER BY u.created_at`,
    rowsOf(db, Key)`
      SELECT id, name, last_four, status, ${timestampText('last_used_at')} AS last_used_at, client FROM api_keys
      WHERE account_id = ${accountId} ORDER BY api_keys.created_at`,
  ]);
  const [account] = accounts;
  return account ? { ...account, users, keys } : null;
}
