import type { Finding } from './finding.js';
import type { CountedFinding } from './verdict.js';

export const SCORE_MAX = 100;

/**
 * The strongest hard finding counts in full, the other hard ones are shown with 0 points, soft ones add up. Above 100
 * the points of the last factors are taken back, the last one first, until the sum is exactly 100: what is shown
 * always adds up to the score. A typo adds nothing beside a hard finding, because both tell of the same wrong domain.
 */
export function addUp(
  hard: readonly Finding[],
  soft: readonly Finding[],
): { score: number; factors: CountedFinding[] } {
  const factors: CountedFinding[] = [];
  let score = 0;
  const strongest = findStrongest(hard);
  if (strongest !== undefined) {
    factors.push({ finding: strongest, points: strongest.points });
    score = strongest.points;
  }
  for (const finding of hard) if (finding !== strongest) factors.push({ finding, points: 0 });
  for (const finding of soft) {
    const redundant = strongest !== undefined && finding.code === 'LIKELY_TYPO';
    const points = redundant ? 0 : Math.min(finding.points, SCORE_MAX - score);
    factors.push({ finding, points });
    score += points;
  }
  return { score, factors };
}

function findStrongest(hard: readonly Finding[]): Finding | undefined {
  let strongest: Finding | undefined;
  for (const finding of hard)
    if (strongest === undefined || finding.points > strongest.points) strongest = finding;
  return strongest;
}
