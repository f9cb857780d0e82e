import type { Database } from '../database/client.js';
import { type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';

const AccountHour = { account_id: text, hour: text };
export type AccountHour = RowOf<typeof AccountHour>;

/**
 * Hours with other checks than are grouped, newest first; one that still fills only when it has `growth` times as many. The
 * rollups tell, so no check has to note anything.
 */
export const ungroupedHours = (
  db: Database,
  daysMax: number,
  countMax: number,
  growth = 1,
): Promise<AccountHour[]> =>
  rowsOf(db, AccountHour)`
    SELECT u.account_id, ${timestampText('u.hour')} AS hour FROM usage_hourly u
    JOIN accounts a ON a.id = u.account_id
    LEFT JOIN check_group_hours g ON g.account_id = u.account_id AND g.hour = u.hour
    WHERE u.hour >= date_trunc('hour', now()) - make_interval(hours => ${Math.round(daysMax * 24)}::int)
    GROUP BY u.account_id, u.hour, g.checks HAVING sum(u.checks) IS DISTINCT FROM g.checks
      AND (u.hour < now() - interval '65 minutes' OR sum(u.checks) >= coalesce(g.checks, 0) * ${growth}::float8)
    ORDER BY u.hour DESC, u.account_id LIMIT ${countMax}`;
