/**
 * Allows so many events a second and counts the rest for `onLeftOut`, once a second at most. When every answer is slow,
 * a line and a trace for each would make them slower.
 */
export function perSecond(eventsMax: number, onLeftOut: (times: number) => void) {
  let windowAtMs = Number.NEGATIVE_INFINITY;
  let taken = 0;
  let leftOut = 0;
  return (nowMs: number): boolean => {
    if (nowMs - windowAtMs >= 1_000) {
      if (leftOut > 0) onLeftOut(leftOut);
      windowAtMs = nowMs;
      taken = 0;
      leftOut = 0;
    }
    if (taken < eventsMax) {
      taken++;
      return true;
    }
    leftOut++;
    return false;
  };
}
