import { GROUP_KINDS, type GroupKind } from '@verdict/domain/check-groups.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import { HAS_SHAPE, shapeOf } from '../checks/of-shape.js';
import { SAME_CHECK } from '../checks/same-check.js';
import type { Database } from '../database/client.js';
import { Prisma } from '../generated/client.js';
import { COUNT_BY_DECISION } from './counts-by-decision.js';
import { SUBJECT_VALUE } from './group-values.js';
import { SORT_MEMORY } from './sort-memory.js';

/** Values of an hour and kind that are kept, those with most checks; of those that were seen once fewer, because one statement reads a month of them. */
const VALUES_MAX = 2_000;
const SEEN_ONCE_MAX = 750;

const CHECKS = Prisma.raw(DECISIONS.join(' + '));
/** By the place of a value among those of its hour and kind. */
const IS_KEPT = Prisma.sql`place <= CASE WHEN ${CHECKS} = 1 THEN ${SEEN_ONCE_MAX}::int ELSE ${VALUES_MAX}::int END`;
const ADDED_UP = Prisma.raw(DECISIONS.map((one) => `sum(${one})::int AS ${one}`).join(', '));

/** Counts the checks of `base` by account and one of its columns. */
const countedBy = (column: string): Prisma.Sql => Prisma.sql`
  SELECT account, ${Prisma.raw(column)} AS value, ${COUNT_BY_DECISION} FROM base
  WHERE ${Prisma.raw(column)} IS NOT NULL GROUP BY 1, 2`;

/** The counts of a kind. Shapes, networks, lists of reasons and rules are made after their checks are counted, so once each. */
const COUNTED: Readonly<Record<GroupKind, Prisma.Sql>> = {
  domain: countedBy('domain'),
  shape: Prisma.sql`
    SELECT d.account, ${shapeOf(Prisma.sql`d.value`)} AS value, ${ADDED_UP} FROM (${countedBy('shaped')}) d GROUP BY 1, 2`,
  mail_host: countedBy('mail_host'),
  network: Prisma.sql`SELECT * FROM networks`,
  mailbox: countedBy('mailbox'),
  as: Prisma.sql`
    SELECT n.account, 'AS' || o.asn AS value, ${ADDED_UP} FROM networks n JOIN network_origins o ON o.network = n.value
    WHERE o.asn IS NOT NULL GROUP BY n.account, o.asn`,
  reason: Prisma.sql`
    SELECT l.account, c.code AS value, ${ADDED_UP} FROM (${countedBy('factors')}) l, LATERAL (
      SELECT DISTINCT f ->> 'code' AS code FROM jsonb_array_elements(l.value) f WHERE f ->> 'code' IS NOT NULL) c GROUP BY 1, 2`,
  rule: Prisma.sql`
    SELECT l.account, r.name AS value, ${ADDED_UP} FROM (${countedBy('rule')}) l
    JOIN asked a ON a.number = l.account JOIN policies p ON p.account_id = a.id AND p.version = l.value[1],
    LATERAL (SELECT p.rules -> l.value[2] ->> 'name' AS name) r WHERE r.name IS NOT NULL GROUP BY 1, 2`,
};

/** The values of each kind with most checks, beside how many there are. Of values with as many, any: most were seen once. */
const FREQUENT = Prisma.join(
  GROUP_KINDS.map(
    (kind) => Prisma.sql`(
      SELECT ${kind} AS kind, f.* FROM (
        SELECT k.*, row_number() OVER (PARTITION BY account ORDER BY ${CHECKS} DESC) AS place, count(*) OVER (PARTITION BY account) AS found
        FROM (${COUNTED[kind]}) k
      ) f WHERE ${IS_KEPT})`,
  ),
  ' UNION ALL ',
);

/**
 * Groups the stored checks of accounts in an hour again. Together, because their persons are stored side by side: an account
 * alone would read those of all others. The number of checks is read first: one that is stored meanwhile makes the hour differ
 * from its rollup, and it is grouped once more. The rows of the hour are locked in their order, so two workers take turns.
 */
export async function regroupHour(db: Database, hour: string, accountIds: readonly string[]): Promise<void> {
  const start = Prisma.sql`${hour}::timestamptz`;
  const ids = [...accountIds];
  const ofHour = Prisma.sql`account_id = ANY(${ids}::text[]) AND hour = ${start}`;
  await db.$transaction([
    db.$executeRaw`
      INSERT INTO check_group_hours AS g (account_id, hour, checks, doubted)
      SELECT id, ${start}, 0, 0 FROM accounts WHERE id = ANY(${ids}::text[]) ORDER BY id
      ON CONFLICT (account_id, hour) DO UPDATE SET checks = g.checks`,
    db.$executeRaw`
      UPDATE check_group_hours g SET checks = u.checks, doubted = u.doubted FROM (
        SELECT account_id, sum(checks) AS checks, coalesce(sum(checks) FILTER (WHERE decision <> 'allow'), 0) AS doubted
        FROM usage_hourly WHERE ${ofHour} GROUP BY 1) u
      WHERE g.account_id = u.account_id AND g.hour = ${start}`,
    db.$executeRaw`DELETE FROM check_groups WHERE ${ofHour}`,
    db.$executeRaw(SORT_MEMORY),
    db.$executeRaw`
      WITH asked AS MATERIALIZED (
        SELECT a.id, n.number::int FROM unnest(${ids}::text[]) WITH ORDINALITY AS n(id, number) JOIN accounts a USING (id)
      ), base AS MATERIALIZED (
        SELECT a.number AS account, l.decision, l.factors, CASE WHEN l.policy_rule IS NOT NULL THEN ARRAY[l.policy_version, l.policy_rule::int] END AS rule,
          ${SUBJECT_VALUE.domain} AS domain, CASE WHEN ${HAS_SHAPE} THEN ${SUBJECT_VALUE.domain} END AS shaped, ${SUBJECT_VALUE.mail_host} AS mail_host, ${SUBJECT_VALUE.network} AS network,
          ${SUBJECT_VALUE.mailbox} AS mailbox
        FROM asked a JOIN check_logs l ON l.account_id = a.id LEFT JOIN check_subjects s ON ${SAME_CHECK}
          AND s.created_at >= ${start} AND s.created_at < ${start} + interval '1 hour'
        WHERE l.account_id = ANY(${ids}::text[]) AND l.created_at >= ${start} AND l.created_at < ${start} + interval '1 hour'
      ), networks AS MATERIALIZED (${countedBy('network')}), frequent AS MATERIALIZED (${FREQUENT}), kept AS (
        INSERT INTO check_groups (account_id, hour, kind, value, allow, challenge, review, block)
        SELECT a.id, ${start}, kind, value, allow, challenge, review, block FROM frequent f JOIN asked a ON a.number = f.account
      )
      UPDATE check_group_hours SET cut = account_id IN (
        SELECT a.id FROM frequent f JOIN asked a ON a.number = f.account GROUP BY a.id, f.kind HAVING count(*) < max(f.found))
      WHERE ${ofHour}`,
  ]);
}
