import type { Database } from '../database/client.js';
import { bool, decision, int, list, type RowOf, record, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { SAME_CHECK } from './same-check.js';

const LoggedCheckRow = {
  id: text,
  created_at: text,
  decision: decision,
  risk_score: int,
  signals: record({ disposable_email: bool, mx_valid: bool, free_provider: bool }),
  factors: list(record({ code: text, points: int })),
  reasons: list(text),
};
export type LoggedCheckRow = RowOf<typeof LoggedCheckRow>;

const DAY_MS = 86_400_000;

/** Those of these checks that are in Postgres. `notBeforeMs` is when the first of them can have been made. */
export const readLoggedChecks = (
  db: Database,
  accountId: string,
  ids: readonly string[],
  notBeforeMs: number,
): Promise<LoggedCheckRow[]> =>
  rowsOf(db, LoggedCheckRow)`
    SELECT l.id, ${timestampText('l.created_at')} AS created_at, l.decision, l.risk_score, l.signals, l.factors,
      coalesce(s.reasons, '[]'::jsonb) AS reasons
    FROM check_logs l LEFT JOIN check_subjects s ON ${SAME_CHECK}
    WHERE l.account_id = ${accountId} AND l.id = ANY(${[...ids]}::text[]) AND l.created_at >= ${new Date(notBeforeMs - DAY_MS)}`;
