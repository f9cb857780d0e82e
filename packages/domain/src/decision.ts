/** From harmless to refused, as tables show them. */
export const DECISIONS = ['allow', 'challenge', 'review', 'block'] as const;
export type Decision = (typeof DECISIONS)[number];

/** The bands of the public contract: the least score of each decision, the highest first. */
export const BANDS = [
  [80, 'block'],
  [55, 'review'],
  [30, 'challenge'],
  [0, 'allow'],
] as const satisfies readonly (readonly [number, Decision])[];

export function decisionForScore(score: number): Decision {
  return BANDS.find(([least]) => score >= least)?.[1] ?? 'allow';
}
