import { BANDS, type Decision } from '@verdict/domain/decision.js';

/** The part of the scale that each decision has, from the lowest score on; the last ends at 100. */
export const SCORE_BANDS: readonly {
  readonly decision: Decision;
  readonly from: number;
  readonly to: number;
}[] = BANDS.map(([from, decision], index) => ({
  decision,
  from,
  to: BANDS[index - 1]?.[0] ?? 100,
})).toReversed();
