import { BURST_CHECKS_MIN } from '@verdict/domain/bursts/is-burst.js';
import type { Database } from '../database/client.js';
import { int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

const AccountHour = { account_id: text, hour: text, checks: int };
export type AccountHour = RowOf<typeof AccountHour>;

/** The fewest new checks, and the fewest doubted ones, for which an hour that still fills is grouped again. */
const CHECKS_MIN = 100;
const DOUBTED_MIN = BURST_CHECKS_MIN / 4;
/** An hour is small up to so many checks. It is grouped again when half as many more came, so that a small account sees an attack soon. */
const SMALL = { checksMax: 2_000, more: 0.5 };
/** A larger one has to be four times as large: a check is read once or twice an hour, where every change would read it hundreds of times. */
const MORE = 3;
/** An attack on a busy account does not wait for that: its checks are doubted so many times as often as those before. */
const DOUBTED_TIMES = 1.5;

/** Whether an hour that still fills has grown enough to be grouped again. A small one under attack always has: its card shows every check. */
const GROWN = Prisma.sql`CASE WHEN u.checks <= ${SMALL.checksMax} THEN
    u.checks - g.checks >= greatest(${CHECKS_MIN}, g.checks * ${SMALL.more}::float8)
    OR u.doubted - g.doubted >= greatest(${DOUBTED_MIN}, g.doubted * ${SMALL.more}::float8)
    OR EXISTS (SELECT FROM bursts b WHERE b.account_id = u.account_id AND b.ended_at IS NULL)
  ELSE
    u.checks - g.checks >= greatest(${CHECKS_MIN}, g.checks * ${MORE}::float8)
    OR u.doubted - g.doubted >= ${BURST_CHECKS_MIN}
      + ${DOUBTED_TIMES}::float8 * (u.checks - g.checks) * g.doubted / greatest(g.checks, 1)
  END`;

interface Options {
  readonly daysMax: number;
  readonly countMax: number;
  /** Leaves hours out that still fill and have hardly grown. */
  readonly isGrown?: boolean;
}

/** Hours with other checks than are grouped, newest first. The rollups tell, so no check has to note anything. */
export const ungroupedHours = (
  db: Database,
  { daysMax, countMax, isGrown = false }: Options,
): Promise<AccountHour[]> =>
  rowsOf(db, AccountHour)`
    SELECT u.account_id, ${timestampText('u.hour')} AS hour, u.checks FROM (
      SELECT account_id, hour, sum(checks)::float8 AS checks,
        coalesce(sum(checks) FILTER (WHERE decision <> 'allow'), 0)::float8 AS doubted
      FROM usage_hourly WHERE hour >= date_trunc('hour', now()) - make_interval(hours => ${Math.round(daysMax * 24)}::int)
      GROUP BY 1, 2
    ) u JOIN accounts a ON a.id = u.account_id
    LEFT JOIN check_group_hours h ON h.account_id = u.account_id AND h.hour = u.hour,
    LATERAL (SELECT coalesce(h.checks, 0)::float8 AS checks, coalesce(h.doubted, 0)::float8 AS doubted) g
    WHERE u.checks <> g.checks AND (u.hour < now() - interval '65 minutes' OR ${isGrown ? GROWN : Prisma.sql`true`})
    ORDER BY u.hour DESC, u.account_id LIMIT ${countMax}`;
