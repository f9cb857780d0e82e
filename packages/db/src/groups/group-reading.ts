import type { Grouping } from '@verdict/domain/check-groups.js';
import { factConditions, type LogFilter, subjectConditions } from '../checks/log-search.js';
import { SAME_CHECK } from '../checks/same-check.js';
import { CHECK_TABLES } from '../checks/shown-check.js';
import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { bool, int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { addUp, COUNT_BY_DECISION, DECISION_COUNTS, SUM_BY_DECISION, sumOf } from './counts-by-decision.js';
import { GROUP_VALUES } from './group-values.js';

const Group = { value: text, ...DECISION_COUNTS };
type Group = RowOf<typeof Group>;
const Line = { ...Group, value: nullable(text), since: nullable(text) };

export interface GroupsAsked {
  readonly by: Grouping;
  readonly filter: LogFilter & Required<Pick<LogFilter, 'from' | 'to'>>;
  /** An `hour` of the answer. */
  readonly step: 'hour' | 'day';
  readonly countMax: number;
}

export interface GroupCounts {
  readonly groups: readonly Group[];
  readonly total: Omit<Group, 'value'>;
  /** Older checks were not read; null where all were. */
  readonly since: string | null;
  /** Whether every value was kept. */
  readonly exact: boolean;
}

/** Checks that are read one by one: of more, the newest, or the hours that the worker grouped. */
const CHECKS_MAX = 50_000;

/** One account's checks by what they have in common. */
export function createGroupReading(db: Database, accountId: string) {
  const within = ({
    from,
    to,
  }: GroupsAsked['filter']) => Prisma.sql`hour >= date_trunc('hour', ${from}::timestamptz)
    AND hour < ${to}::timestamptz`;

  async function fromChecks({ by, filter, step, countMax }: GroupsAsked): Promise<GroupCounts> {
    const facts = allOf(Prisma.sql`l.account_id = ${accountId}`, ...factConditions(accountId, filter, null));
    const subjects = subjectConditions(accountId, filter);
    const named = subjects.length > 0 && allOf(Prisma.sql`s.account_id = ${accountId}`, ...subjects);
    const values =
      by === 'hour'
        ? Prisma.sql`ARRAY[${begun(step)}]`
        : Prisma.sql`ARRAY(SELECT value FROM ${GROUP_VALUES[by]} v WHERE value IS NOT NULL)`;
    // The hash of a mailbox stays here; the newest of its checks names it.
    const name = by === 'mailbox' ? Prisma.sql`max(m.id)` : Prisma.sql`v.value`;
    const order = by === 'hour' ? Prisma.sql`value DESC` : Prisma.sql`checks DESC, value`;
    const lines = await rowsOf(db, Line)`
      WITH matched AS MATERIALIZED (
        SELECT l.id, l.created_at, l.decision, ${values} AS vals
        FROM ${CHECK_TABLES[filter.mode ?? 'live']} l ${named ? Prisma.empty : Prisma.sql`LEFT`} JOIN check_subjects s ON ${SAME_CHECK}
        WHERE ${allOf(facts, named)}
        ORDER BY l.created_at DESC, l.id DESC LIMIT ${CHECKS_MAX}
      ), grouped AS (
        SELECT ${name} AS value, ${COUNT_BY_DECISION}, count(*) AS checks
        FROM matched m, unnest(m.vals) AS v(value) GROUP BY v.value ORDER BY ${order} LIMIT ${countMax}
      )
      SELECT value, allow, challenge, review, block, NULL::text AS since FROM grouped
      UNION ALL
      SELECT NULL, ${COUNT_BY_DECISION}, CASE WHEN count(*) = ${CHECKS_MAX} THEN ${timestampText('min(created_at)')} END
      FROM matched`;
    const total = lines.find(({ value }) => value === null);
    if (!total) throw new Error('groups without a total');
    const groups = lines.flatMap(({ value, since: _, ...counts }) =>
      value === null ? [] : [{ value, ...counts }],
    );
    const { value: _, since, ...counts } = total;
    return { groups, total: counts, since, exact: true };
  }

  async function fromHours({ by, filter, step, countMax }: GroupsAsked): Promise<GroupCounts> {
    const { decisions } = filter;
    const counted = Prisma.sql`SELECT hour AS created_at, decision, checks FROM usage_hourly
      WHERE account_id = ${accountId} AND ${within(filter)} ${decisions ? Prisma.sql`AND decision = ANY(${[...decisions]}::text[])` : Prisma.empty}`;
    const groups =
      by === 'hour'
        ? rowsOf(db, Group)`
            SELECT ${begun(step)} AS value, ${SUM_BY_DECISION} FROM (${counted}) l
            GROUP BY 1 ORDER BY 1 DESC LIMIT ${countMax}`
        : rowsOf(db, Group)`
            SELECT value, ${addUp(decisions)} FROM check_groups
            WHERE account_id = ${accountId} AND ${within(filter)} AND kind = ${by} GROUP BY value HAVING ${sumOf(decisions)} > 0
            ORDER BY ${sumOf(decisions)} DESC, value LIMIT ${countMax}`;
    const [found, [total], [whole]] = await Promise.all([
      groups,
      rowsOf(db, DECISION_COUNTS)`SELECT ${SUM_BY_DECISION} FROM (${counted}) l`,
      rowsOf(db, { exact: bool })`
        SELECT NOT EXISTS (SELECT FROM check_group_hours WHERE account_id = ${accountId} AND ${within(filter)} AND cut) AND NOT EXISTS (
          SELECT FROM usage_hourly u
          WHERE account_id = ${accountId} AND ${within(filter)} AND hour < now() - interval '2 hours' AND NOT EXISTS (
            SELECT FROM check_group_hours g WHERE g.account_id = u.account_id AND g.hour = u.hour)) AS exact`,
    ]);
    return {
      groups: by === 'mailbox' ? await namedByCheck(found) : found,
      total: total ?? { allow: 0, challenge: 0, review: 0, block: 0 },
      since: null,
      exact: by === 'hour' || whole?.exact === true,
    };
  }

  /** Mailboxes by the newest of their checks; forgotten ones have none. */
  async function namedByCheck(groups: readonly Group[]): Promise<Group[]> {
    const found = await rowsOf(db, { hash: text, id: text })`
      SELECT h.hash, n.id FROM unnest(${groups.map(({ value }) => value)}::text[]) AS h(hash), LATERAL (
        SELECT s.id FROM check_subjects s
        WHERE s.account_id = ${accountId} AND (s.email_hash = h.hash OR s.mailbox_hash = h.hash)
        ORDER BY s.created_at DESC LIMIT 1) n`;
    const ids = new Map(found.map(({ hash, id }) => [hash, id]));
    return groups.flatMap((group) => {
      const value = ids.get(group.value);
      return value === undefined ? [] : [{ ...group, value }];
    });
  }

  return {
    async counts(asked: GroupsAsked): Promise<GroupCounts> {
      const { decisions: _, from: _from, to: _to, ...others } = asked.filter;
      if (Object.keys(others).length > 0) return fromChecks(asked);
      const [stored] = await rowsOf(db, { checks: int })`
        SELECT coalesce(sum(checks), 0)::float8 AS checks FROM usage_hourly
        WHERE account_id = ${accountId} AND ${within(asked.filter)}`;
      return (stored?.checks ?? 0) > CHECKS_MAX ? fromHours(asked) : fromChecks(asked);
    },
  };
}

/** The beginning of the hour or the day of a row `l`. */
const begun = (step: 'hour' | 'day'): Prisma.Sql =>
  Prisma.sql`to_char(date_trunc(${step}, l.created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
