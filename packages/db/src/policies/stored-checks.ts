import type { Decision } from '@verdict/contracts/decision.js';
import { SAME_CHECK } from '../checks/same-check.js';
import type { Database } from '../database/client.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** A check with the facts that rules may ask about, as far as they are stored. */
export interface StoredCheckRow {
  readonly id: string;
  readonly key_id: string;
  readonly created_at: string;
  readonly decision: Decision;
  readonly risk_score: number;
  readonly verdict_score: number | null;
  readonly signals: { disposable_email: boolean; mx_valid: boolean; free_provider: boolean };
  readonly extra: string[] | null;
  readonly factors: { code: string; points: number }[];
  readonly seen: (number | null)[] | null;
  readonly ip_kind: string | null;
  /** Null once the person was erased. */
  readonly domain: string | null;
}

const FACTS = Prisma.sql`l.id, l.key_id, ${timestampText('l.created_at')} AS created_at, l.decision, l.risk_score, l.verdict_score, l.signals, l.extra, l.factors,
  l.seen, l.ip_kind, s.domain`;

export interface CheckCursor {
  /** With its microseconds. */
  readonly at: string;
  readonly id: string;
}

/** The next checks of an account behind a cursor, oldest first. The index finds the cursor, so every page costs the same. */
export const readChecksAfter = (
  db: Database,
  accountId: string,
  { after, before, countMax }: { after: CheckCursor; before: string; countMax: number },
): Promise<StoredCheckRow[]> =>
  db.$queryRaw<StoredCheckRow[]>`
    SELECT ${FACTS} FROM (
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
  db.$queryRaw<StoredCheckRow[]>`
    SELECT ${FACTS} FROM (
      SELECT * FROM check_logs WHERE account_id = ${accountId} ORDER BY created_at DESC, id DESC LIMIT ${countMax}
    ) l LEFT JOIN check_subjects s ON ${SAME_CHECK}`;
