import type { BurstKind } from '../check-groups.js';

/** How often a value occurs now, and how often it and the account did in the weeks before. */
export interface Repetition {
  readonly kind: BurstKind;
  /** Checks with the value in this hour and the one before. */
  readonly checks: number;
  /** Those of them that were not allowed. */
  readonly doubted: number;
  /** Checks of its busiest usual hour: one hour of twenty has more. */
  readonly usual: number;
  /** Its share of all checks in the weeks before. */
  readonly usualShare: number;
  /** All checks of the account in the same two hours, in its busiest usual hour, and how many hours it is known. */
  readonly total: number;
  readonly totalUsual: number;
  readonly hoursKnown: number;
}

/** The fewest checks of a burst. */
export const BURST_CHECKS_MIN = 20;
const TIMES_USUAL = 4;
/** From so many on, a value that nothing speaks against is one too, where it never was and takes this share of all checks. */
const SILENT = { checks: 100, timesUsual: 20, shareMin: 0.3, shareMax: 0.95, hoursKnown: 7 * 24 };
/** The account has so much more than usual that its own history says little: the day of a launch. */
const FLOOD = { timesUsual: 3, shareMin: 0.05 };
/** Many people never share one of these by chance. */
const NARROW: ReadonlySet<BurstKind> = new Set(['network', 'mailbox']);

/**
 * Whether a value repeats above its own usual level in the manner of an attack. On the day of a launch everything is above it, so
 * growth alone is none: most of its checks must be doubted, and what many share by nature must be a part of the day.
 */
export function isBurst(repetition: Repetition): boolean {
  const { kind, checks, doubted, total, hoursKnown } = repetition;
  const expected = expectedOf(repetition);
  if (checks < BURST_CHECKS_MIN || checks < TIMES_USUAL * expected) return false;
  const isNarrow = NARROW.has(kind);
  if (doubted * 2 >= checks) return isNarrow || !isFlood(repetition) || checks >= FLOOD.shareMin * total;
  return (
    isNarrow &&
    hoursKnown >= SILENT.hoursKnown &&
    checks >= Math.max(SILENT.checks, SILENT.timesUsual * expected, SILENT.shareMin * total) &&
    checks <= SILENT.shareMax * total
  );
}

/** Whether a burst continues: it ends below half of the count that starts one. */
export const goesOn = (repetition: Repetition): boolean =>
  repetition.checks >= Math.max(BURST_CHECKS_MIN, TIMES_USUAL * expectedOf(repetition)) / 2;

const expectedOf = ({ usual, usualShare, total }: Repetition): number => Math.max(usual, usualShare * total);

const isFlood = ({ total, totalUsual, hoursKnown }: Repetition): boolean =>
  hoursKnown < SILENT.hoursKnown || total > FLOOD.timesUsual * totalUsual;
