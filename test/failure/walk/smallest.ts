interface Limits {
  /** Repetitions at most. */
  readonly tries: number;
  /** By the clock that only rises. */
  readonly untilMs: number;
}

/**
 * Finds a part of a failing walk that still fails and from which no single step can be taken away: it tries without each
 * half, quarter and so on. Null when the walk does not fail again.
 */
export async function smallest<T>(
  items: readonly T[],
  fails: (items: readonly T[]) => Promise<boolean>,
  { tries, untilMs }: Limits,
): Promise<{ readonly items: readonly T[]; readonly tries: number } | null> {
  // Twice, because a walk depends on luck too.
  if (!(await fails(items)) && !(await fails(items))) return null;
  let made = 1;
  let left = items;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    // From the end: what comes after the fault is not needed for it.
    for (let end = left.length; end > 0; end -= size) {
      if (made >= tries || performance.now() > untilMs) return { items: left, tries: made };
      const without = [...left.slice(0, Math.max(end - size, 0)), ...left.slice(end)];
      if (without.length === 0 || without.length === left.length) continue;
      made++;
      if (await fails(without)) left = without;
    }
  }
  return { items: left, tries: made };
}
