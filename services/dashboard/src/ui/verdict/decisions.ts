import type { Decision } from '@verdict/contracts/decision.js';

/** From harmless to harmful, as charts stack them and tables list them. */
export const DECISIONS: readonly Decision[] = ['allow', 'challenge', 'review', 'block'];

/** Where the bands of the score begin; the fourth ends at 100. */
export const BANDS: readonly { readonly decision: Decision; readonly from: number; readonly to: number }[] = [
  { decision: 'allow', from: 0, to: 30 },
  { decision: 'challenge', from: 30, to: 55 },
  { decision: 'review', from: 55, to: 80 },
  { decision: 'block', from: 80, to: 100 },
];
