import { GROUP_KINDS } from '@verdict/domain/check-groups.js';
import { SAME_CHECK } from '../checks/same-check.js';
import type { Database } from '../database/client.js';
import { Prisma } from '../generated/client.js';
import { COUNT_BY_DECISION } from './counts-by-decision.js';
import { GROUP_VALUES } from './group-values.js';
import type { AccountHour } from './ungrouped-hours.js';

/** Values of an hour and kind that are kept, those with most checks. */
const VALUES_MAX = 2_000;

const VALUES = Prisma.join(
  GROUP_KINDS.map((kind) => Prisma.sql`SELECT ${kind} AS kind, value FROM ${GROUP_VALUES[kind]} v`),
  ' UNION ALL ',
);

/**
 * Groups the stored checks of an hour again. The number of checks is read first: one that is stored meanwhile makes the hour
 * differ from its rollup, and it is grouped once more. The row of the hour is locked, so two workers take turns.
 */
export async function regroupHour(db: Database, { account_id, hour }: AccountHour): Promise<void> {
  const ofHour = Prisma.sql`hour = ${hour}::timestamptz`;
  await db.$transaction([
    db.$executeRaw`
      INSERT INTO check_group_hours AS g (account_id, hour, checks)
      SELECT id, ${hour}::timestamptz, 0 FROM accounts WHERE id = ${account_id}
      ON CONFLICT (account_id, hour) DO UPDATE SET checks = g.checks`,
    db.$executeRaw`
      UPDATE check_group_hours SET checks = (
        SELECT coalesce(sum(checks), 0) FROM usage_hourly WHERE account_id = ${account_id} AND ${ofHour})
      WHERE account_id = ${account_id} AND ${ofHour}`,
    db.$executeRaw`DELETE FROM check_groups WHERE account_id = ${account_id} AND ${ofHour}`,
    db.$executeRaw`
      WITH counted AS MATERIALIZED (
        SELECT kind, value, ${COUNT_BY_DECISION}, row_number() OVER (PARTITION BY kind ORDER BY count(*) DESC, value) AS place
        FROM check_logs l LEFT JOIN check_subjects s ON ${SAME_CHECK}, LATERAL (${VALUES}) v
        WHERE l.account_id = ${account_id} AND l.created_at >= ${hour}::timestamptz
          AND l.created_at < ${hour}::timestamptz + interval '1 hour' AND value IS NOT NULL
        GROUP BY kind, value
      ), kept AS (
        INSERT INTO check_groups (account_id, hour, kind, value, allow, challenge, review, block)
        SELECT a.id, ${hour}::timestamptz, kind, value, allow, challenge, review, block
        FROM counted, accounts a WHERE a.id = ${account_id} AND place <= ${VALUES_MAX}
      )
      UPDATE check_group_hours SET cut = EXISTS (SELECT FROM counted WHERE place > ${VALUES_MAX})
      WHERE account_id = ${account_id} AND ${ofHour}`,
  ]);
}
