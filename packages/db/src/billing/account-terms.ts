import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

/** A price or discount of one account as an operator entered it. */
const EnteredTerms = {
  from: text,
  plan: nullable(text),
  price_month: nullable(int),
  price_per_1000_over: nullable(int),
  /** Hundredths of a percent. */
  discount: int,
  reason: text,
};
export type EnteredTerms = RowOf<typeof EnteredTerms>;

const AccountTermsRow = { ...EnteredTerms, made_by: text, made_at: text };
export type AccountTermsRow = RowOf<typeof AccountTermsRow>;

const SHOWN = Prisma.sql`to_char(from_month, 'YYYY-MM') AS from, plan, price_month::float8 AS price_month,
  price_per_1000_over::float8 AS price_per_1000_over, discount, reason, made_by, to_char(made_at, 'YYYY-MM-DD') AS made_at`;

/** All that was ever agreed, oldest first. */
export function listTerms(db: Database, accountId: string): Promise<AccountTermsRow[]> {
  return rowsOf(db, AccountTermsRow)`
    SELECT ${SHOWN} FROM account_terms WHERE account_id = ${accountId} ORDER BY account_terms.from_month, id`;
}

/** Adds terms from a month on; false when that month is closed, because its bill is written. */
export async function addTerms(
  db: Database,
  accountId: string,
  { from, plan, price_month, price_per_1000_over, discount, reason }: EnteredTerms,
  madeBy: string,
  audit: Audit,
): Promise<boolean> {
  const change = Prisma.sql`
    INSERT INTO account_terms (account_id, from_month, plan, price_month, price_per_1000_over, discount, reason, made_by)
    SELECT ${accountId}, (${from} || '-01')::date, ${plan}, ${price_month}::bigint, ${price_per_1000_over}::bigint,
      ${discount}, ${reason}, ${madeBy}
    WHERE NOT EXISTS (SELECT FROM billing_periods WHERE month >= (${from} || '-01')::date AND status = 'closed')
    RETURNING id`;
  return (await db.$executeRaw(audited(accountId, change, audit))) > 0;
}
