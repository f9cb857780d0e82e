import { addMonths, monthBounds, monthOfCreatedAt } from '@verdict/domain/month.js';
import { oncePerObject } from '@verdict/domain/once-per-object.js';
import { createPositions } from '@verdict/domain/positions.js';
import type { Database } from '../database/client.js';
import { int, int8 } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import type { CheckRow, CheckVerdict } from './check-row.js';
import { countTags } from './count-tags.js';
import { withPartitions } from './partitions.js';
import { toLines } from './text-lines.js';

/** An empty line is null, so a network that is empty travels as this. */
const NO_NETWORK = '-';
const smallints = (counts: readonly (number | null)[]): string =>
  `{${counts.map((count) => count ?? 'NULL').join(',')}}`;

type TextColumn = Exclude<
  keyof CheckRow,
  | 'verdict'
  | 'mailbox_hash'
  | 'ip'
  | 'policy_version'
  | 'policy_rule'
  | 'watched'
  | 'seen'
  | 'ip_network'
  | 'shadow'
  | 'tag'
>;

/** After a quiet spell a round may hold tens of thousands of checks: one statement for them would run into its timeout. */
const STATEMENT_CHECKS_MAX = 4_000;

/**
 * Writes checks and counts them in one statement: only rows really inserted are counted, so a batch delivered twice
 * changes nothing. Returns how many were new; large input takes several statements, and a repetition finds the rows of
 * the earlier ones.
 */
export async function persistChecks(db: Database, rows: readonly CheckRow[]): Promise<number> {
  let inserted = 0;
  for (let from = 0; from < rows.length; from += STATEMENT_CHECKS_MAX) {
    inserted += await persistPart(db, rows.slice(from, from + STATEMENT_CHECKS_MAX));
  }
  return inserted;
}

function persistPart(db: Database, rows: readonly CheckRow[]): Promise<number> {
  const months = [...new Set(rows.map((row) => monthOfCreatedAt(row.created_at)))];
  const input = toInput(rows);
  return withPartitions(db, months, () => runStatement(db, input, months));
}

interface Input {
  readonly rows: readonly CheckRow[];
  /** The position of each row's verdict among the verdicts. */
  readonly positions: readonly number[];
  /** Each verdict once, however many jobs brought it, as JSON. */
  readonly verdicts: string;
}

const textOf = oncePerObject((verdict: CheckVerdict) => JSON.stringify(verdict));

function toInput(delivered: readonly CheckRow[]): Input {
  const shared = createPositions<string>();
  // A round that holds a job and its own redelivery holds a check twice; the statement wants it once.
  const rows = [...new Map(delivered.map((row) => [row.id, row])).values()];
  const positions = rows.map((row) => shared.of(textOf(row.verdict)));
  return { rows, positions, verdicts: `[${shared.keys().join(',')}]` };
}

/**
 * The month's billing period is locked FOR SHARE, and its newest version is read after the lock was had: closing the
 * month cannot slip in between. Rows and rollup cells are taken in the order of their keys, or two workers with the same
 * batch would deadlock. An id that these months or their neighbours have is refused whatever its moment, and the month's
 * own index refuses one that another worker is storing: no error before this statement can bill a check twice in a month. The ids are one array, which Postgres walks along the index; a subquery hides
 * its length, or a month that was never analysed would be read whole. A blocked check becomes a webhook event, one to review a row
 * of its queue, and each rule that matched counts its day. A check of
 * an account that was deleted meanwhile is counted, and whom it was about is not kept.
 */
async function runStatement(
  db: Database,
  { rows, positions, verdicts }: Input,
  months: readonly string[],
): Promise<number> {
  const firstDays = months.map((month) => `${month}-01`);
  const [first = '', last = first] = [[...months].sort().at(0), [...months].sort().at(-1)];
  const [from, to] = [monthBounds(addMonths(first, -1)).start, monthBounds(addMonths(last, 1)).end];
  const column = (name: TextColumn) => toLines(rows, (row) => row[name]);
  // Few checks have these. For a column without a value nothing is sent: unnest fills it with null.
  const sparse = (read: (row: CheckRow) => string | null) =>
    rows.some((row) => read(row) !== null) ? toLines(rows, read) : '';
  const tags = countTags(rows);
  const result = await rowsOf(db, { inserted: int, told: int8, opened: int8 })`
    ${tags.name}
    WITH verdicts AS MATERIALIZED (
      SELECT ordinality - 1 AS position, value->>'decision' AS decision, (value->>'risk_score')::smallint AS risk_score,
        (value->>'verdict_score')::smallint AS verdict_score, value->'signals' AS signals,
        CASE WHEN value ? 'extra' THEN ARRAY(SELECT jsonb_array_elements_text(value->'extra')) END AS extra, value->'factors' AS factors, value->>'datasets' AS datasets,
        value->'reasons' AS reasons, value->>'mx' AS mx
      FROM jsonb_array_elements(${verdicts}::jsonb) WITH ORDINALITY
    ), input AS MATERIALIZED (
      SELECT r.*, v.decision, v.risk_score, v.verdict_score, v.signals, v.extra, v.factors, v.datasets, v.reasons, v.mx
      FROM unnest(
        string_to_array(${column('id')}, E'\\n', ''),
        string_to_array(${column('account_id')}, E'\\n', ''),
        string_to_array(${column('key_id')}, E'\\n', ''),
        string_to_array(${column('request_id')}, E'\\n', ''),
        string_to_array(${column('created_at')}, E'\\n', '')::timestamptz[],
        string_to_array(${column('email')}, E'\\n', ''),
        string_to_array(${column('domain')}, E'\\n', ''),
        string_to_array(${column('email_hash')}, E'\\n', ''),
        string_to_array(${sparse((row) => row.mailbox_hash)}, E'\\n', ''),
        string_to_array(${sparse((row) => row.ip)}, E'\\n', ''),
        string_to_array(${sparse(({ policy_version: version }) => version?.toString() ?? null)}, E'\\n', '')::int[],
        string_to_array(${sparse(({ policy_rule: rule }) => rule?.toString() ?? null)}, E'\\n', '')::smallint[],
        string_to_array(${sparse(({ watched }) => (watched ? smallints(watched) : null))}, E'\\n', ''),
        string_to_array(${sparse(({ seen }) => (seen ? smallints(seen) : null))}, E'\\n', ''),
        string_to_array(${sparse(({ ip_network }) => (ip_network === '' ? NO_NETWORK : (ip_network ?? null)))}, E'\\n', ''),
        string_to_array(${sparse(({ shadow }) => (shadow ? JSON.stringify(shadow) : null))}, E'\\n', '')::jsonb[], string_to_array(${sparse(({ tag }) => tag ?? null)}, E'\\n', ''),
        string_to_array(${positions.join('\n')}, E'\\n')::bigint[]
      ) AS r(id, account_id, key_id, request_id, created_at, email, domain, email_hash, mailbox_hash, ip, policy_version, policy_rule,
        watched, seen, ip_network, shadow, tag, verdict) JOIN verdicts v ON v.position = r.verdict
    ), doubles AS MATERIALIZED (
      SELECT id FROM check_logs
      WHERE id = ANY (ARRAY(SELECT id FROM input)) AND created_at >= ${from} AND created_at < ${to}
    ), inserted AS (
      INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id,
        created_at, verdict_score, policy_version, policy_rule, extra, seen, ip_network, shadow, tag)
      SELECT id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at,
        verdict_score, policy_version, policy_rule, extra, seen::smallint[],
        CASE WHEN ip_network = ${NO_NETWORK} THEN '' ELSE ip_network END, shadow, tag
      FROM input
      WHERE id NOT IN (SELECT id FROM doubles)
      ORDER BY id
      ON CONFLICT DO NOTHING
      RETURNING id, account_id, key_id, decision, created_at
    ), matched AS (
      INSERT INTO policy_matches AS m (account_id, day, version, rule, checks)
      SELECT i.account_id, (i.created_at AT TIME ZONE 'UTC')::date, i.policy_version, r.rule, count(*)
      FROM inserted n JOIN input i ON i.id = n.id AND i.created_at = n.created_at,
        unnest(array_append(coalesce(i.watched::smallint[], '{}'), i.policy_rule)) AS r(rule)
      WHERE i.policy_version IS NOT NULL AND r.rule IS NOT NULL
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT (account_id, day, version, rule) DO UPDATE SET checks = m.checks + excluded.checks
    ), subjects AS (
      INSERT INTO check_subjects (id, account_id, email, domain, email_hash, mailbox_hash, ip, mx, reasons, created_at)
      SELECT i.id, i.account_id, i.email, i.domain, i.email_hash, i.mailbox_hash, i.ip, i.mx, i.reasons, i.created_at
      FROM inserted n JOIN input i ON i.id = n.id AND i.created_at = n.created_at
      WHERE NOT EXISTS (SELECT FROM plan_changes d WHERE d.account_id = i.account_id AND d.to_plan = 'none')
    ), periods AS MATERIALIZED (
      SELECT month, status FROM billing_periods WHERE month = ANY(${firstDays}::date[]) ORDER BY month FOR SHARE
    ), counted AS MATERIALIZED (
      SELECT account_id, key_id, date_trunc('hour', created_at, 'UTC') AS hour, decision, count(*) AS checks
      FROM inserted GROUP BY 1, 2, 3, 4
    ), placed AS MATERIALIZED (
      SELECT c.*, coalesce(p.status, 'open') AS status FROM counted c
      LEFT JOIN periods p ON p.month = date_trunc('month', c.hour AT TIME ZONE 'UTC')::date
    ), rolled AS (
      INSERT INTO usage_hourly AS u (account_id, key_id, hour, decision, checks)
      SELECT account_id, key_id, hour, decision, checks FROM placed WHERE status = 'open'
      ORDER BY account_id, hour, key_id, decision
      ON CONFLICT (account_id, hour, key_id, decision) DO UPDATE SET checks = u.checks + excluded.checks
    )${tags.counts}, adjusted AS (
      INSERT INTO usage_adjustments (account_id, key_id, hour, decision, checks, reason)
      SELECT account_id, key_id, hour, decision, checks, 'late' FROM placed WHERE status = 'closed'
    )
    SELECT count(*)::int AS inserted, (
      SELECT count(enqueue_webhook_event(b.account_id, 'check.blocked',
        jsonb_build_object('log_id', b.id, 'key_id', b.key_id), NULL, 'evt_' || substr(b.id, 5)))
      FROM inserted b WHERE b.decision = 'block' AND EXISTS (
        SELECT FROM webhook_endpoints e
        WHERE e.account_id = b.account_id AND e.status = 'enabled' AND 'check.blocked' = ANY (e.events))
    ) AS told, (
      SELECT count(open_review(b.account_id, b.id, b.key_id, i.email_hash, b.created_at))
      FROM inserted b JOIN input i ON i.id = b.id AND i.created_at = b.created_at WHERE b.decision = 'review'
    ) AS opened
    FROM inserted`;
  return result[0]?.inserted ?? 0;
}
