import { BURST_CHECKS_MIN } from '@verdict/domain/bursts/is-burst.js';
import type { Database } from '../database/client.js';
import { type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

const AccountHour = { account_id: text, hour: text };
export type AccountHour = RowOf<typeof AccountHour>;

/** Growth of an hour that has it grouped again: a quarter while it is small, so that a small account sees an attack soon. */
const SMALL = { checksMax: 2_000, times: 1.25 };
/** Doubling reads each check twice; every change would read it hundreds of times. */
const TIMES = 2;
/** An attack on a busy account does not wait for that: its checks are doubted so many times as often as those before. */
const DOUBTED_TIMES = 1.5;

/** Whether an hour that still fills has grown enough to be grouped again. */
const GROWN = Prisma.sql`(
  u.checks >= g.checks * CASE WHEN u.checks <= ${SMALL.checksMax} THEN ${SMALL.times}::float8 ELSE ${TIMES}::float8 END
  OR u.doubted - g.doubted >= ${BURST_CHECKS_MIN}
    + ${DOUBTED_TIMES}::float8 * (u.checks - g.checks) * g.doubted / greatest(g.checks, 1))`;

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
    SELECT u.account_id, ${timestampText('u.hour')} AS hour FROM (
      SELECT account_id, hour, sum(checks)::float8 AS checks,
        coalesce(sum(checks) FILTER (WHERE decision <> 'allow'), 0)::float8 AS doubted
      FROM usage_hourly WHERE hour >= date_trunc('hour', now()) - make_interval(hours => ${Math.round(daysMax * 24)}::int)
      GROUP BY 1, 2
    ) u JOIN accounts a ON a.id = u.account_id
    LEFT JOIN check_group_hours g ON g.account_id = u.account_id AND g.hour = u.hour
    WHERE u.checks IS DISTINCT FROM g.checks
      AND (g.checks IS NULL OR u.hour < now() - interval '65 minutes' OR ${isGrown ? GROWN : Prisma.sql`true`})
    ORDER BY u.hour DESC, u.account_id LIMIT ${countMax}`;
