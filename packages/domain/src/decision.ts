/** The bands of the public contract. */
export function decisionForScore(score: number): 'allow' | 'challenge' | 'review' | 'block' {
  if (score >= 80) return 'block';
  if (score >= 55) return 'review';
  if (score >= 30) return 'challenge';
  return 'allow';
}
