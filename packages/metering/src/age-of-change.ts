/**
 * How long ago a shared count last changed, by a monotonic clock. The first look uses the stored age, whose clock may
 * have been set; later ones measure.
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
