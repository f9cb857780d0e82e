import type { Database } from '../database/client.js';
import { entries, json, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import type { Audit } from './audited.js';

/** Actions on the service as a whole. An operation, so that it can be part of a transaction. */
export const appendOperatorEvent = (
  db: Database,
  { id, action, target, details }: Pick<Audit, 'id' | 'action' | 'target' | 'details'>,
) =>
  db.operatorEvent.create({
    data: { id, action, target: target ?? null, details: (details ?? {}) as Prisma.InputJsonObject },
  });

const OperatorEventRow = {
  created_at: text,
  account_id: nullable(text),
  action: text,
  target: nullable(text),
  details: entries(json),
};
export type OperatorEventRow = RowOf<typeof OperatorEventRow>;

/** Operator actions, newest first: on the service and every account, or every action on one account. */
export function listOperatorEvents(
  db: Database,
  { accountId, countMax }: { accountId?: string | undefined; countMax: number },
): Promise<OperatorEventRow[]> {
  const chosen =
    accountId === undefined
      ? Prisma.sql`
          SELECT id, NULL AS account_id, action, target, details, created_at FROM operator_events
          UNION ALL
          SELECT id, account_id, action, target, details, created_at FROM audit_events
          WHERE details ->> 'by' LIKE 'operator:%'`
      : Prisma.sql`
          SELECT id, account_id, action, target, details, created_at FROM audit_events
          WHERE account_id = ${accountId}`;
  return rowsOf(db, OperatorEventRow)`
    SELECT ${timestampText('created_at')} AS created_at, account_id, action, target, details
    FROM (${chosen}) e ORDER BY e.created_at DESC, e.id DESC LIMIT ${countMax}`;
}
