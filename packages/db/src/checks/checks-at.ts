import type { Database } from '../database/client.js';
import { int, int8 } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

/** How many checks of an account have their row at each of these moments, in microseconds. */
export async function checksAt(
  db: Database,
  accountId: string,
  moments: readonly number[],
): Promise<Map<number, number>> {
  if (moments.length === 0) return new Map();
  // The bounds let Postgres skip the partitions of other months.
  const [first, last] = [Math.min(...moments), Math.max(...moments)];
  const rows = await rowsOf(db, { micros: int8, checks: int })`
    SELECT m.micros, count(*)::int AS checks FROM unnest(${moments}::bigint[]) AS m(micros)
    JOIN check_logs l ON l.created_at = timestamptz 'epoch' + m.micros * interval '1 microsecond'
    WHERE l.account_id = ${accountId}
      AND l.created_at >= timestamptz 'epoch' + ${first}::bigint * interval '1 microsecond'
      AND l.created_at <= timestamptz 'epoch' + ${last}::bigint * interval '1 microsecond'
    GROUP BY 1`;
  return new Map(rows.map(({ micros, checks }) => [Number(micros), checks]));
}
