/**
 * How long ago a count that many share last changed, by a clock that only ever rises. The first look has nothing but the
 * age that was noted elsewhere, by a clock that somebody may have set; every later one has seen for itself.
 */
export function createAgeOfChange(
  ageAtFirst: (notedMs: number | null) => number,
): (count: number, notedMs: number | null, nowMs: number) => number {
  let seen: number | undefined;
  let changedMs = 0;
  return (count, notedMs, nowMs) => {
    if (seen === undefined) changedMs = nowMs - ageAtFirst(notedMs);
    else if (count !== seen) changedMs = nowMs;
    seen = count;
    return nowMs - changedMs;
  };
}
