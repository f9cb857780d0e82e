import type { Database } from '../database/client.js';
import { int, list, nullable, record, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { BacktestResult } from './backtest-result.js';

export interface ShadowReport
  extends Pick<BacktestResult, 'cells' | 'hits' | 'with_counts' | 'with_network'> {
  /** When the version became the shadow, or the oldest check that is counted. */
  readonly since: string;
}

/** Keeps the report of a busy account within the time of a search. */
const CHECKS_MAX = 200_000;
const SAMPLES_MAX = 50;

/** Sums up the outcomes that the worker stored for the shadow version, since the version was set. */
export async function readShadowReport(
  db: Database,
  accountId: string,
  version: number,
): Promise<ShadowReport> {
  const [row] = await rowsOf(db, {
    since: text,
    cells: nullable(BacktestResult.cells),
    hits: nullable(list(record({ rule: int, checks: int }))),
    with_counts: int,
    with_network: int,
  })`
    WITH begun AS (
      SELECT coalesce(max(created_at), now()) AS at FROM audit_events
      WHERE account_id = ${accountId} AND action = 'policy.shadow_set'
    ), recent AS MATERIALIZED (
      SELECT l.id, l.decision, l.shadow, l.seen, l.ip_network, l.created_at FROM check_logs l, begun
      WHERE l.account_id = ${accountId} AND l.created_at >= begun.at
      ORDER BY l.created_at DESC, l.id DESC LIMIT ${CHECKS_MAX}
    ), judged AS (
      SELECT id, decision AS before, coalesce(shadow ->> 'decision', decision) AS after, shadow, seen, ip_network FROM recent
      WHERE (shadow ->> 'version')::int = ${version}
    ), cells AS (
      SELECT before || ' ' || after AS name, count(*) AS checks,
        coalesce((array_agg(id ORDER BY id DESC) FILTER (WHERE before <> after))[1:${SAMPLES_MAX}::int], '{}') AS samples
      FROM judged GROUP BY before, after
    ), hits AS (
      SELECT rule, count(*) AS checks FROM judged, LATERAL (
        SELECT (shadow ->> 'rule')::int AS rule WHERE shadow ->> 'rule' IS NOT NULL
        UNION ALL SELECT jsonb_array_elements_text(shadow -> 'watched')::int
      ) matched GROUP BY rule
    ), counted AS (
      SELECT CASE WHEN (SELECT count(*) FROM recent) < ${CHECKS_MAX} THEN begun.at
        ELSE (SELECT min(created_at) FROM recent) END AS since FROM begun
    )
    SELECT ${timestampText('since')} AS since,
      (SELECT jsonb_object_agg(name, jsonb_build_object('checks', checks, 'samples', samples)) FROM cells) AS cells,
      (SELECT jsonb_agg(jsonb_build_object('rule', rule, 'checks', checks)) FROM hits) AS hits,
      (SELECT count(*)::int FROM judged WHERE num_nonnulls(VARIADIC seen) > 0) AS with_counts,
      (SELECT count(*)::int FROM judged WHERE ip_network <> '') AS with_network
    FROM counted`;
  if (!row) throw new Error('a report has one row');
  const hits: number[] = [];
  for (const { rule, checks } of row.hits ?? []) hits[rule] = checks;
  return { ...row, cells: row.cells ?? {}, hits };
}
