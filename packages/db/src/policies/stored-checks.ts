import { SAME_CHECK } from '../checks/same-check.js';
import type { Database } from '../database/client.js';
import { bool, decision, int, list, nullable, type RowOf, record, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** A check with the facts that rules may ask about, as far as they are stored. */
export const StoredCheckRow = {
  id: text,
  key_id: text,
  created_at: text,
  decision: decision,
  risk_score: int,
  verdict_score: nullable(int),
  signals: record({ disposable_email: bool, mx_valid: bool, free_provider: bool }),
  extra: nullable(list(text)),
  factors: list(record({ code: text, points: int })),
  seen: nullable(list(nullable(int))),
  ip_network: nullable(text),
  /** Empty where none was sent; null where the address is stored masked or hashed: then the IP is not whole either. */
  ip: nullable(text),
  /** Null in rows of earlier releases. */
  mx: nullable(text),
  /** Null once the person was erased. */
  domain: nullable(text),
};
export type StoredCheckRow = RowOf<typeof StoredCheckRow>;

/** The address is stored as it was sent. */
const WHOLE = Prisma.sql`s.email NOT LIKE '%***@%'`;

export const CHECK_FACTS = Prisma.sql`l.id, l.key_id, ${timestampText('l.created_at')} AS created_at, l.decision, l.risk_score, l.verdict_score, l.signals, l.extra, l.factors,
  l.seen, coalesce(l.ip_network, l.ip_kind, CASE WHEN s.ip IS NULL AND ${WHOLE} THEN '' END) AS ip_network,
  CASE WHEN ${WHOLE} THEN coalesce(s.ip, '') END AS ip, s.mx, s.domain`;

export const CheckCursor = {
  /** With its microseconds. */
  at: text,
  id: text,
};
export type CheckCursor = RowOf<typeof CheckCursor>;

/** The next checks of an account behind a cursor, oldest first. The index finds the cursor, so every page costs the same. */
export const readChecksAfter = (
  db: Database,
  accountId: string,
  { after, before, countMax }: { after: CheckCursor; before: string; countMax: number },
): Promise<StoredCheckRow[]> =>
  rowsOf(db, StoredCheckRow)`
    SELECT ${CHECK_FACTS} FROM (
      SELECT * FROM check_logs WHERE account_id = ${accountId} AND created_at >= ${after.at}::timestamptz
        AND created_at < ${before}::timestamptz AND (created_at, id) > (${after.at}::timestamptz, ${after.id})
      ORDER BY created_at, id LIMIT ${countMax}
    ) l LEFT JOIN check_subjects s ON ${SAME_CHECK}
    ORDER BY l.created_at, l.id`;

/** The newest checks of an account. The page is cut before the join, as in log-reading.ts. */
export const readNewestChecks = (
  db: Database,
  accountId: string,
  countMax: number,
): Promise<StoredCheckRow[]> =>
  rowsOf(db, StoredCheckRow)`
    SELECT ${CHECK_FACTS} FROM (
      SELECT * FROM check_logs WHERE account_id = ${accountId} ORDER BY created_at DESC, id DESC LIMIT ${countMax}
    ) l LEFT JOIN check_subjects s ON ${SAME_CHECK}`;
