import type { Database } from '../database/client.js';
import { int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

/** The IP that most checks of a day carried, among those compared. */
export const CommonIp = { ip: text, checks: int, among: int };
export type CommonIp = RowOf<typeof CommonIp>;

/** Newest checks of each hour that are compared. An attacker would have to fill every hour of a day, not its end. */
const COMPARED_PER_HOUR = 100;

/** Accounts whose proxy of a UTC day is not decided: those with that many checks on it, and those that have had one. */
export async function findUndecidedProxies(db: Database, day: string, checksMin: number): Promise<string[]> {
  const rows = await rowsOf(db, { id: text })`
    SELECT a.id FROM accounts a
    WHERE (a.own_proxy_day IS NULL OR a.own_proxy_day < ${day}::date)
      AND (a.own_proxy IS NOT NULL OR ${checksMin} <= (
        SELECT sum(u.checks) FROM usage_hourly u
        WHERE u.account_id = a.id AND u.hour >= ${day}::timestamp AT TIME ZONE 'UTC'
          AND u.hour < (${day}::timestamp + interval '1 day') AT TIME ZONE 'UTC'))
    ORDER BY a.id`;
  return rows.map(({ id }) => id);
}

export async function commonIpOfDay(
  db: Database,
  accountId: string,
  day: string,
): Promise<CommonIp | undefined> {
  const [found] = await rowsOf(db, CommonIp)`
    WITH compared AS (
      SELECT l.id, l.created_at FROM generate_series(0, 23) h, LATERAL (
        SELECT id, created_at FROM check_logs
        WHERE account_id = ${accountId}
          AND created_at >= (${day}::timestamp + h * interval '1 hour') AT TIME ZONE 'UTC'
          AND created_at < (${day}::timestamp + (h + 1) * interval '1 hour') AT TIME ZONE 'UTC'
        ORDER BY created_at DESC, id DESC LIMIT ${COMPARED_PER_HOUR}
      ) l
    )
    SELECT s.ip, count(*)::int AS checks, (SELECT count(*) FROM compared)::int AS among
    FROM compared l JOIN check_subjects s ON s.id = l.id AND s.created_at = l.created_at AND s.account_id = ${accountId}
    WHERE s.ip IS NOT NULL
    GROUP BY s.ip ORDER BY checks DESC LIMIT 1`;
  return found;
}

/** Notes what was decided about a day. True when it differs from before, so that Redis must be brought to it. */
export async function noteOwnProxy(
  db: Database,
  accountId: string,
  day: string,
  proxy: string | null,
): Promise<boolean> {
  const rows = await rowsOf(db, { version: int, projected_version: int })`
    UPDATE accounts SET own_proxy_day = ${day}::date, own_proxy = ${proxy},
      version = version + (own_proxy IS DISTINCT FROM ${proxy})::int
    WHERE id = ${accountId} AND (own_proxy_day IS NULL OR own_proxy_day < ${day}::date)
    RETURNING version, projected_version`;
  return rows.some(({ version, projected_version: projected }) => projected < version);
}
