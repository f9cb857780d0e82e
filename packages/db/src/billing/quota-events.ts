import type { Plans } from '@verdict/domain/plans.js';
import type { Database } from '../database/client.js';
import { int } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { usedOfQuota } from './used-of-quota.js';

/** In percent of the plan's checks. */
const WARNINGS = [80, 90];
const USED_UP = 100;

/**
 * Sends quota events: once per account, month and threshold, however often it runs. A threshold is a number of stored
 * checks, so a larger plan has different ones; returns how many events were written.
 */
export async function tellOfQuotas(
  db: Database,
  plans: Plans,
  month: string,
  accountIds?: readonly string[],
): Promise<number> {
  const rows = await rowsOf(db, { told: int })`
    WITH used AS MATERIALIZED (${usedOfQuota(plans, month, accountIds)}), reached AS MATERIALIZED (
      SELECT u.id, u.checks AS used, u.quota, t.percent,
        concat_ws(' ', 'quota', ${month}::text, t.percent, u.quota) AS once_key
      FROM used u CROSS JOIN unnest(${[...WARNINGS, USED_UP]}::int[]) AS t(percent)
      WHERE u.checks * 100 >= u.quota * t.percent
    )
    SELECT count(enqueue_webhook_event(r.id, CASE WHEN r.percent = ${USED_UP} THEN 'quota.exceeded' ELSE 'quota.warning' END,
      jsonb_build_object('month', ${month}::text, 'percent', r.percent, 'checks_used', r.used, 'checks_limit', r.quota),
      r.once_key))::int AS told
    FROM reached r
    WHERE NOT EXISTS (SELECT FROM webhook_events e WHERE e.account_id = r.id AND e.once_key = r.once_key)`;
  return rows[0]?.told ?? 0;
}
