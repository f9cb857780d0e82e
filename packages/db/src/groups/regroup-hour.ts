import { GROUP_KINDS, type GroupKind } from '@verdict/domain/check-groups.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import { HAS_SHAPE, shapeOf } from '../checks/of-shape.js';
import { SAME_CHECK } from '../checks/same-check.js';
import type { Database } from '../database/client.js';
import { Prisma } from '../generated/client.js';
import { COUNT_BY_DECISION } from './counts-by-decision.js';
import { SUBJECT_VALUE } from './group-values.js';
import { SORT_MEMORY } from './sort-memory.js';
import type { AccountHour } from './ungrouped-hours.js';

/** Values of an hour and kind that are kept, those with most checks. */
const VALUES_MAX = 2_000;

const CHECKS = Prisma.raw(DECISIONS.join(' + '));
const ADDED_UP = Prisma.raw(DECISIONS.map((one) => `sum(${one})::int AS ${one}`).join(', '));

/** Counts the checks of `base` by one of its columns. */
const countedBy = (column: string): Prisma.Sql => Prisma.sql`
  SELECT ${Prisma.raw(column)} AS value, ${COUNT_BY_DECISION} FROM base WHERE ${Prisma.raw(column)} IS NOT NULL GROUP BY 1`;

/** The counts of a kind. Shapes, networks, lists of reasons and rules are made after their checks are counted, so once each. */
const COUNTED: Readonly<Record<GroupKind, Prisma.Sql>> = {
  domain: countedBy('domain'),
  shape: Prisma.sql`
    SELECT ${shapeOf(Prisma.sql`d.value`)} AS value, ${ADDED_UP} FROM (${countedBy('shaped')}) d GROUP BY 1`,
  mail_host: countedBy('mail_host'),
  network: Prisma.sql`SELECT * FROM networks`,
  mailbox: countedBy('mailbox'),
  as: Prisma.sql`
    SELECT 'AS' || o.asn AS value, ${ADDED_UP} FROM networks n JOIN network_origins o ON o.network = n.value
    WHERE o.asn IS NOT NULL GROUP BY o.asn`,
  reason: Prisma.sql`
    SELECT c.code AS value, ${ADDED_UP} FROM (${countedBy('factors')}) l, LATERAL (
      SELECT DISTINCT f ->> 'code' AS code FROM jsonb_array_elements(l.value) f) c GROUP BY 1`,
  rule: Prisma.sql`
    SELECT p.rules -> l.value[2] ->> 'name' AS value, ${ADDED_UP} FROM (${countedBy('rule')}) l, policies p, hour h
    WHERE p.account_id = h.account_id AND p.version = l.value[1] GROUP BY 1`,
};

/** The values of each kind with most checks, and one more where there are more. */
const FREQUENT = Prisma.join(
  GROUP_KINDS.map(
    (kind) => Prisma.sql`(
      SELECT ${kind} AS kind, k.* FROM (${COUNTED[kind]}) k WHERE value IS NOT NULL
      ORDER BY ${CHECKS} DESC, value LIMIT ${VALUES_MAX} + 1)`,
  ),
  ' UNION ALL ',
);

/**
 * Groups the stored checks of an hour again. The number of checks is read first: one that is stored meanwhile makes the hour
 * differ from its rollup, and it is grouped once more. The row of the hour is locked, so two workers take turns.
 */
export async function regroupHour(db: Database, { account_id, hour }: AccountHour): Promise<void> {
  const ofHour = Prisma.sql`account_id = ${account_id} AND hour = ${hour}::timestamptz`;
  await db.$transaction([
    db.$executeRaw`
      INSERT INTO check_group_hours AS g (account_id, hour, checks, doubted)
      SELECT id, ${hour}::timestamptz, 0, 0 FROM accounts WHERE id = ${account_id}
      ON CONFLICT (account_id, hour) DO UPDATE SET checks = g.checks`,
    db.$executeRaw`
      UPDATE check_group_hours g SET checks = u.checks, doubted = u.doubted FROM (
        SELECT coalesce(sum(checks), 0) AS checks, coalesce(sum(checks) FILTER (WHERE decision <> 'allow'), 0) AS doubted
        FROM usage_hourly WHERE ${ofHour}) u
      WHERE ${ofHour}`,
    db.$executeRaw`DELETE FROM check_groups WHERE ${ofHour}`,
    db.$executeRaw(SORT_MEMORY),
    db.$executeRaw`
      WITH hour AS MATERIALIZED (
        SELECT a.id AS account_id, ${hour}::timestamptz AS start FROM accounts a WHERE a.id = ${account_id}
      ), base AS MATERIALIZED (
        SELECT l.decision, l.factors, CASE WHEN l.policy_rule IS NOT NULL THEN ARRAY[l.policy_version, l.policy_rule::int] END AS rule,
          ${SUBJECT_VALUE.domain} AS domain, CASE WHEN ${HAS_SHAPE} THEN ${SUBJECT_VALUE.domain} END AS shaped, ${SUBJECT_VALUE.mail_host} AS mail_host, ${SUBJECT_VALUE.network} AS network,
          ${SUBJECT_VALUE.mailbox} AS mailbox
        FROM check_logs l LEFT JOIN check_subjects s ON ${SAME_CHECK}
          AND s.created_at >= ${hour}::timestamptz AND s.created_at < ${hour}::timestamptz + interval '1 hour'
        WHERE l.account_id = ${account_id} AND l.created_at >= ${hour}::timestamptz
          AND l.created_at < ${hour}::timestamptz + interval '1 hour'
      ), networks AS MATERIALIZED (${countedBy('network')}), frequent AS MATERIALIZED (
        SELECT *, row_number() OVER (PARTITION BY kind ORDER BY ${CHECKS} DESC, value) AS place FROM (${FREQUENT}) f
      ), kept AS (
        INSERT INTO check_groups (account_id, hour, kind, value, allow, challenge, review, block)
        SELECT h.account_id, h.start, kind, value, allow, challenge, review, block FROM frequent, hour h WHERE place <= ${VALUES_MAX}
      )
      UPDATE check_group_hours SET cut = EXISTS (SELECT FROM frequent WHERE place > ${VALUES_MAX}) WHERE ${ofHour}`,
  ]);
}
