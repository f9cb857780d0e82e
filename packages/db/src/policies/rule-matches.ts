import type { Database } from '../database/client.js';
import { int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { instant } from '../database/sql-timestamp.js';

/** Checks that rules of one name matched, whichever version had them. */
const RuleMatches = { rule: text, today: int, days: int };
type RuleMatches = RowOf<typeof RuleMatches>;

/**
 * Matches of an account's rules on this UTC day, and on so many days with it. A name that matched nothing has no row.
 * A rule that stays when a new version goes live keeps its count.
 */
export const readRuleMatches = (
  db: Database,
  accountId: string,
  { names, days }: { readonly names: readonly string[]; readonly days: number },
): Promise<RuleMatches[]> =>
  rowsOf(db, RuleMatches)`
    SELECT p.rules -> m.rule::int ->> 'name' AS rule,
      coalesce(sum(m.checks) FILTER (WHERE m.day = (now() AT TIME ZONE 'UTC')::date), 0)::float8 AS today,
      sum(m.checks)::float8 AS days
    FROM policy_matches m JOIN policies p ON p.account_id = m.account_id AND p.version = m.version
    WHERE m.account_id = ${accountId} AND m.day > (now() AT TIME ZONE 'UTC')::date - ${days}::int
      AND p.rules -> m.rule::int ->> 'name' = ANY(${[...names]}::text[])
    GROUP BY 1`;

export const deleteMatchesBefore = (db: Database, moment: Date): Promise<number> =>
  db.$executeRaw`DELETE FROM policy_matches WHERE day < ${instant(moment)}::date`;
