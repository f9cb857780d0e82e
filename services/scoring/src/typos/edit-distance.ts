export const SAME = 0;
export const ONE_EDIT = 1;
export const FAR = 2;

/**
 * Whether one insertion, deletion, substitution or swap of neighbours turns `a` into `b`. Walks in from both ends, so it
 * costs at most one pass and no table; typo search asks this dozens of times per address.
 */
export function editDistance(a: string, b: string): typeof SAME | typeof ONE_EDIT | typeof FAR {
  const difference = a.length - b.length;
  if (difference > 1 || difference < -1) return FAR;
  const shorter = difference > 0 ? b.length : a.length;
  let start = 0;
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  if (start === a.length && start === b.length) return SAME;
  let endA = a.length - 1;
  let endB = b.length - 1;
  while (endA >= start && endB >= start && a.charCodeAt(endA) === b.charCodeAt(endB)) {
    endA--;
    endB--;
  }
  const leftA = endA - start + 1;
  const leftB = endB - start + 1;
  if (leftA <= 1 && leftB <= 1) return ONE_EDIT;
  const swapped =
    leftA === 2 &&
    leftB === 2 &&
    a.charCodeAt(start) === b.charCodeAt(start + 1) &&
    a.charCodeAt(start + 1) === b.charCodeAt(start);
  return swapped ? ONE_EDIT : FAR;
}
