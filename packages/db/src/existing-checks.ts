import type { Database } from './client.js';

interface Candidate {
  readonly logId: string;
  readonly admittedAtMicros: number;
}

/**
 * Which of these checks have their row: the very check, by id and moment. An id alone will not do, because a gateway that
 * slept through a takeover may have admitted a finished check's id once more.
 */
export async function existingChecks(db: Database, candidates: readonly Candidate[]): Promise<Set<string>> {
  if (candidates.length === 0) return new Set();
  const ids = candidates.map(({ logId }) => logId);
  const moments = candidates.map(({ admittedAtMicros }) => admittedAtMicros);
  // The bounds let Postgres skip the partitions of other months.
  const [first, last] = [Math.min(...moments), Math.max(...moments)];
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT l.id FROM unnest(${ids}::text[], ${moments}::bigint[]) AS c(id, micros)
    JOIN check_logs l ON l.id = c.id AND l.created_at = timestamptz 'epoch' + c.micros * interval '1 microsecond'
    WHERE l.created_at >= timestamptz 'epoch' + ${first}::bigint * interval '1 microsecond'
      AND l.created_at <= timestamptz 'epoch' + ${last}::bigint * interval '1 microsecond'`;
  return new Set(rows.map(({ id }) => id));
}
