import { BURST_CHECKS_MIN, type Repetition } from '@verdict/domain/bursts/is-burst.js';
import { BURST_KINDS } from '@verdict/domain/check-groups.js';
import type { Database } from '../database/client.js';
import { float, int, nullable, oneOf, type RowOf, type Shape, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { DECISION_COUNTS } from '../groups/counts-by-decision.js';

const Repeated = {
  kind: oneOf(...BURST_KINDS),
  value: text,
  ...DECISION_COUNTS,
  checks: int,
  doubted: int,
  usual: int,
  usualShare: float,
  total: int,
  totalUsual: int,
  hoursKnown: int,
  /** The burst of it that is under way. */
  burst: nullable(text),
} satisfies Shape<Repetition & Record<string, unknown>>;
export type Repeated = RowOf<typeof Repeated>;

/** Days before, which say how much is usual. */
const USUAL_DAYS = 28;
/** Hours of a hundred that may be busier than the usual ones. */
const UNUSUAL_PERCENT = 5;

/**
 * Reads the values that are frequent in this hour and the one before, and every running burst, with the usual counts. A burst keeps
 * those of its beginning, because its hours become usual.
 */
export const readRepetitions = (db: Database, accountId: string): Promise<Repeated[]> =>
  rowsOf(db, Repeated)`
    WITH period AS MATERIALIZED (
      SELECT date_trunc('hour', now()) - interval '1 hour' AS start,
        date_trunc('hour', now()) - make_interval(hours => 1, days => ${USUAL_DAYS}) AS usual_from
    ), hours AS MATERIALIZED (
      SELECT u.hour, sum(u.checks) AS checks FROM usage_hourly u, period p
      WHERE u.account_id = ${accountId} AND u.hour >= p.usual_from GROUP BY 1
    ), account AS MATERIALIZED (
      SELECT coalesce(sum(h.checks) FILTER (WHERE h.hour >= p.start), 0)::float8 AS total,
        coalesce(sum(h.checks) FILTER (WHERE h.hour < p.start), 0)::float8 AS before,
        greatest(0, coalesce(extract(epoch FROM p.start - min(h.hour)) / 3600, 0))::int AS known,
        array_agg(h.checks ORDER BY h.checks DESC) FILTER (WHERE h.hour < p.start) AS usual
      FROM period p LEFT JOIN hours h ON true GROUP BY p.start
    ), recent AS MATERIALIZED (
      SELECT g.kind, g.value, sum(g.allow)::float8 AS allow, sum(g.challenge)::float8 AS challenge,
        sum(g.review)::float8 AS review, sum(g.block)::float8 AS block
      FROM check_groups g, period p
      WHERE g.account_id = ${accountId} AND g.hour >= p.start AND g.kind = ANY(${[...BURST_KINDS]}::text[])
        AND EXISTS (SELECT FROM accounts WHERE id = ${accountId} AND bursts)
      GROUP BY 1, 2
    ), chosen AS MATERIALIZED (
      SELECT coalesce(r.kind, b.kind) AS kind, coalesce(r.value, b.value) AS value, coalesce(r.allow, 0) AS allow,
        coalesce(r.challenge, 0) AS challenge, coalesce(r.review, 0) AS review, coalesce(r.block, 0) AS block,
        b.id AS burst, b.usual
      FROM recent r FULL JOIN (
        SELECT id, kind, value, usual FROM bursts WHERE account_id = ${accountId} AND ended_at IS NULL
      ) b ON b.kind = r.kind AND b.value = r.value
      WHERE b.id IS NOT NULL OR r.allow + r.challenge + r.review + r.block >= ${BURST_CHECKS_MIN}
    )
    SELECT c.kind, c.value, c.allow, c.challenge, c.review, c.block,
      c.allow + c.challenge + c.review + c.block AS checks, c.challenge + c.review + c.block AS doubted,
      coalesce(c.usual, u.counts[a.known * ${UNUSUAL_PERCENT} / 100 + 1], 0)::float8 AS usual,
      CASE WHEN c.burst IS NULL THEN coalesce(u.checks / nullif(a.before, 0), 0) ELSE 0 END::float8 AS "usualShare",
      a.total, coalesce(a.usual[a.known * ${UNUSUAL_PERCENT} / 100 + 1], 0)::float8 AS "totalUsual",
      a.known AS "hoursKnown", c.burst
    FROM chosen c, account a, period p, LATERAL (
      SELECT array_agg(n ORDER BY n DESC) AS counts, sum(n) AS checks FROM (
        SELECT g.allow + g.challenge + g.review + g.block AS n FROM check_groups g
        WHERE g.account_id = ${accountId} AND g.kind = c.kind AND g.value COLLATE "C" = c.value
          AND g.hour >= p.usual_from AND g.hour < p.start
      ) g
    ) u
    ORDER BY checks DESC, c.kind, c.value`;
