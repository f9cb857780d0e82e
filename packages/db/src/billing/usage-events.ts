import { type Month, monthBounds } from '@verdict/domain/month.js';
import type { UsageEvent } from '@verdict/domain/usage-event.js';
import type { Database } from '../database/client.js';
import { int, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { instant, timestampText } from '../database/sql-timestamp.js';

/**
 * Makes the events of the finished hours of a month that have none yet, or whose checks have changed since, and returns all
 * events of the month, oldest first. An event is never changed, so sending one again is recognised by its id.
 */
export async function readUsageEvents(db: Database, month: Month): Promise<UsageEvent[]> {
  const { start, end } = monthBounds(month);
  const [, events] = await db.$transaction([
    db.$executeRaw`
      WITH counted AS (
        SELECT account_id, hour, sum(checks) AS checks FROM (
          SELECT account_id, hour, checks FROM usage_hourly WHERE hour >= ${instant(start)} AND hour < ${instant(end)}
          UNION ALL
          SELECT account_id, hour, checks FROM usage_adjustments WHERE hour >= ${instant(start)} AND hour < ${instant(end)}
        ) u WHERE hour <= now() - interval '1 hour' GROUP BY 1, 2
      ), told AS (
        SELECT account_id, hour, sum(checks) AS checks, max(number) AS number FROM usage_events
        WHERE hour >= ${instant(start)} AND hour < ${instant(end)} GROUP BY 1, 2
      )
      INSERT INTO usage_events (account_id, hour, number, checks)
      SELECT account_id, hour, coalesce(t.number, 0) + 1, coalesce(c.checks, 0) - coalesce(t.checks, 0)
      FROM counted c FULL JOIN told t USING (account_id, hour) WHERE coalesce(c.checks, 0) <> coalesce(t.checks, 0)
      ON CONFLICT DO NOTHING`,
    rowsOf(db, { account_id: text, customer: text, hour: text, number: int, checks: int })`
      SELECT e.account_id, coalesce(p.external_ref, e.account_id) AS customer, ${timestampText('e.hour')} AS hour, e.number,
        e.checks::float8 AS checks
      FROM usage_events e LEFT JOIN billing_profiles p ON p.account_id = e.account_id
      WHERE e.hour >= ${instant(start)} AND e.hour < ${instant(end)} ORDER BY e.hour, e.account_id, e.number`,
  ]);
  return events;
}
