import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { columnsOf, int, type RowOf } from '../database/columns.js';
import { isBefore, type Position } from '../database/is-before.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { listingHistory } from './listing-history.js';

const RevisionRow = columnsOf('revision');
export type RevisionRow = RowOf<typeof RevisionRow>;

/** Days that the Overview speaks of. */
const RECENT_DAYS = 7;

/** Checks of one account that would be decided differently now that lists know more. */
export function createRevisions(db: Database, accountId: string) {
  return {
    /** Newest first, those before a position; of one check where an id is given. */
    page(before: Position | null, countMax: number, id?: string): Promise<RevisionRow[]> {
      const chosen = allOf(
        Prisma.sql`r.account_id = ${accountId}`,
        before && isBefore(before, 'r'),
        id !== undefined && Prisma.sql`r.id = ${id}`,
      );
      return rowsOf(db, RevisionRow)`
        SELECT r.id, s.email, r.from_decision AS "from", r.to_decision AS "to", r.risk_score, r.codes, r.release,
          ${timestampText('r.checked_at')} AS checked_at, ${timestampText('r.created_at')} AS created_at
        FROM (SELECT r.* FROM revisions r WHERE ${chosen} ORDER BY r.created_at DESC, r.id DESC LIMIT ${countMax}) r
        LEFT JOIN check_subjects s ON s.id = r.id AND s.created_at = r.checked_at AND s.account_id = r.account_id
        ORDER BY r.created_at DESC, r.id DESC`;
    },

    /** Checks of the last days whose decision is another one now. */
    async countRecent(): Promise<number> {
      const [counted] = await rowsOf(db, { checks: int })`
        SELECT count(*)::int AS checks FROM (
          SELECT DISTINCT ON (r.id) r.id, r.to_decision, r.checked_at FROM revisions r
          WHERE r.account_id = ${accountId} AND r.created_at > now() - make_interval(days => ${RECENT_DAYS}::int)
          ORDER BY r.id, r.created_at DESC
        ) n JOIN check_logs l ON l.id = n.id AND l.created_at = n.checked_at WHERE l.decision <> n.to_decision`;
      return counted?.checks ?? 0;
    },

    /** All changes of sources about these names. */
    listings: (names: readonly string[]) => listingHistory(db, names),
  };
}
