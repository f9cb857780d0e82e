import { SAME_CHECK } from '../checks/same-check.js';
import type { Database } from '../database/client.js';
import { bool, decision, int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { CHECK_FACTS, type CheckCursor, StoredCheckRow } from '../policies/stored-checks.js';

const FoundCheck = {
  ...StoredCheckRow,
  account_id: text,
  policy_version: nullable(int),
  ip_intelligence: bool,
  /** The decision of the last revision, or else of the check. */
  standing: decision,
};
export type FoundCheck = RowOf<typeof FoundCheck>;

/** The next checks that a second look found, behind a cursor. */
export const readFoundChecks = (
  db: Database,
  lookId: string,
  after: CheckCursor,
  countMax: number,
): Promise<FoundCheck[]> =>
  rowsOf(db, FoundCheck)`
    SELECT ${CHECK_FACTS}, l.account_id, l.policy_version, coalesce(a.ip_intelligence, false) AS ip_intelligence,
      coalesce((SELECT r.to_decision FROM revisions r WHERE r.id = l.id ORDER BY r.created_at DESC LIMIT 1), l.decision)
        AS standing
    FROM (
      SELECT id, created_at FROM second_look_checks
      WHERE look_id = ${lookId} AND (created_at, id) > (${after.at}::timestamptz, ${after.id})
      ORDER BY created_at, id LIMIT ${countMax}
    ) c
    JOIN check_logs l ON l.id = c.id AND l.created_at = c.created_at
    LEFT JOIN check_subjects s ON ${SAME_CHECK}
    LEFT JOIN accounts a ON a.id = l.account_id
    ORDER BY l.created_at, l.id`;
