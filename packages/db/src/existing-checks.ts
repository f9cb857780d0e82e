import type { Database } from './client.js';

interface Candidate {
  readonly logId: string;
  readonly admittedAtMicros: number;
}

/** Which of these checks have their row. Only the partitions of the moments in question are looked into. */
export async function existingChecks(db: Database, candidates: readonly Candidate[]): Promise<Set<string>> {
  if (candidates.length === 0) return new Set();
  const ids = candidates.map(({ logId }) => logId);
  const moments = candidates.map(({ admittedAtMicros }) => admittedAtMicros);
  const [first, last] = [Math.min(...moments), Math.max(...moments)];
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM check_logs
    WHERE id = ANY(${ids}::text[])
      AND created_at >= timestamptz 'epoch' + ${first}::bigint * interval '1 microsecond'
      AND created_at <= timestamptz 'epoch' + ${last}::bigint * interval '1 microsecond'`;
  return new Set(rows.map(({ id }) => id));
}
