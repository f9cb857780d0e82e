import type { Finding } from './finding.js';
import type { CountedFinding } from './verdict.js';

const SCORE_MAX = 100;
const BLOCK_FROM = 80;
const REVIEW_MAX = BLOCK_FROM - 1;

/**
 * The strongest hard finding counts in full, the other hard ones are shown with 0 points, soft ones add up in order.
 * The one that would pass 100 is cut to what is left, those after it show 0: what is shown always adds up to the score.
 * A typo adds nothing beside a hard finding, because both tell of the same wrong domain. A person who slipped is never
 * turned away: beside a typo nothing goes beyond review, unless the domain itself is a disposable service. A look-up that
 * did not complete never lifts a score over the line to block, and adds nothing above it.
 */
export function addUp(
  hard: readonly Finding[],
  soft: readonly Finding[],
): { score: number; factors: CountedFinding[] } {
  const factors: CountedFinding[] = [];
  let score = 0;
  const strongest = findStrongest(hard);
  const most = isSlip(hard, soft) ? REVIEW_MAX : SCORE_MAX;
  if (strongest !== undefined) {
    score = Math.min(strongest.points, most);
    factors.push({ finding: strongest, points: score });
  }
  for (const finding of hard) if (finding !== strongest) factors.push({ finding, points: 0 });
  for (const finding of soft) {
    const points = Math.min(finding.points, roomFor(finding, score, strongest !== undefined, most));
    factors.push({ finding, points });
    score += points;
  }
  return { score, factors };
}

function roomFor({ code }: Finding, score: number, besideHard: boolean, most: number): number {
  if (code === 'LIKELY_TYPO' && besideHard) return 0;
  if (code === 'DNS_INDETERMINATE') return Math.max(0, REVIEW_MAX - score);
  return most - score;
}

function isSlip(hard: readonly Finding[], soft: readonly Finding[]): boolean {
  return (
    soft.some(({ code }) => code === 'LIKELY_TYPO') && !hard.some(({ code }) => code === 'DISPOSABLE_DOMAIN')
  );
}

function findStrongest(hard: readonly Finding[]): Finding | undefined {
  let strongest: Finding | undefined;
  for (const finding of hard)
    if (strongest === undefined || finding.points > strongest.points) strongest = finding;
  return strongest;
}
