import type { Decision } from '@verdict/contracts/decision.js';
import type { Database } from '../database/client.js';
import { timestampText } from '../database/sql-timestamp.js';
import { SAME_CHECK } from './same-check.js';

export interface LoggedCheckRow {
  id: string;
  created_at: string;
  decision: Decision;
  risk_score: number;
  signals: { disposable_email: boolean; mx_valid: boolean; free_provider: boolean };
  factors: { code: string; points: number }[];
  reasons: string[];
}

const DAY_MS = 86_400_000;

/** Those of these checks that are in Postgres. `notBeforeMs` is when the first of them can have been made. */
export const readLoggedChecks = (
  db: Database,
  accountId: string,
  ids: readonly string[],
  notBeforeMs: number,
): Promise<LoggedCheckRow[]> =>
  db.$queryRaw<LoggedCheckRow[]>`
    SELECT l.id, ${timestampText('l.created_at')} AS created_at, l.decision, l.risk_score, l.signals, l.factors,
      coalesce(s.reasons, '[]'::jsonb) AS reasons
    FROM check_logs l LEFT JOIN check_subjects s ON ${SAME_CHECK}
    WHERE l.account_id = ${accountId} AND l.id = ANY(${[...ids]}::text[]) AND l.created_at >= ${new Date(notBeforeMs - DAY_MS)}`;
