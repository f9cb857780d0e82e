import { CORRECTION_KINDS } from '@verdict/domain/statement-line.js';
import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { int, nullable, oneOf, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

export interface NewAdjustment {
  readonly accountId: string;
  /** A credit is an amount in the customer's favour, so negative. */
  readonly kind: 'adjustment' | 'credit';
  readonly checks: number;
  /** Minor units. */
  readonly amount: number;
  readonly reason: string;
  readonly author: string;
}

const ManualAdjustmentRow = {
  id: int,
  account_id: text,
  kind: oneOf(...CORRECTION_KINDS),
  checks: int,
  amount: int,
  reason: text,
  author: text,
  created_at: text,
  /** Null until a statement carries it. */
  billed_month: nullable(text),
};
export type ManualAdjustmentRow = RowOf<typeof ManualAdjustmentRow>;

const SHOWN = Prisma.sql`id::float8 AS id, account_id, kind, checks::float8 AS checks, amount::float8 AS amount, reason, author,
  ${timestampText('created_at')} AS created_at, to_char(billed_month, 'YYYY-MM') AS billed_month`;

/** Corrects a bill by hand: the next statement of the account carries it. */
export async function addAdjustment(
  db: Database,
  { accountId, kind, checks, amount, reason, author }: NewAdjustment,
  audit: Audit,
): Promise<ManualAdjustmentRow> {
  const change = Prisma.sql`
    INSERT INTO manual_adjustments (account_id, kind, checks, amount, reason, author)
    VALUES (${accountId}, ${kind}, ${checks}, ${amount}, ${reason}, ${author})
    RETURNING ${SHOWN}`;
  const rows = await rowsOf(db, ManualAdjustmentRow)(audited(accountId, change, audit));
  return rows[0] as ManualAdjustmentRow;
}

/** Newest first; of one account or of all. */
export function listAdjustments(db: Database, accountId?: string): Promise<ManualAdjustmentRow[]> {
  const own = accountId === undefined ? Prisma.empty : Prisma.sql`WHERE account_id = ${accountId}`;
  return rowsOf(db, ManualAdjustmentRow)`
    SELECT ${SHOWN} FROM manual_adjustments ${own} ORDER BY manual_adjustments.id DESC`;
}
