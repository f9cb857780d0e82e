const DAY_MS = 86_400_000;

interface Period {
  readonly used: number;
  readonly limit: number;
  readonly start: string;
  readonly end: string;
}

/** The day on which the checks run out at the pace of the month so far; null when they last, or nobody can tell yet. */
export function runsOutOn({ used, limit, start, end }: Period, now: number): string | null {
  const elapsed = now - Date.parse(start);
  if (used === 0 || used >= limit || elapsed < DAY_MS) return null;
  const out = now + ((limit - used) / used) * elapsed;
  return out < Date.parse(end) ? new Date(out).toISOString() : null;
}
