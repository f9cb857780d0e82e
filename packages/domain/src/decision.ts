/** From harmless to refused, as tables show them. */
export const DECISIONS = ['allow', 'challenge', 'review', 'block'] as const;

/** The bands of the public contract. */
export function decisionForScore(score: number): (typeof DECISIONS)[number] {
  if (score >= 80) return 'block';
  if (score >= 55) return 'review';
  if (score >= 30) return 'challenge';
  return 'allow';
}
