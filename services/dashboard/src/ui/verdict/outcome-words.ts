import { OUTCOMES, type Outcome } from '@verdict/domain/outcomes.js';
import type { Precision } from '../../api/outcomes.ts';

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  genuine: 'Genuine',
  abuse: 'Abuse',
  bounced: 'Bounced',
  complained: 'Complained',
};

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** How right a rule or a signal was, such as "Of 41 labelled, 39 abuse, 2 genuine: 4.9 % genuine (1.3 to 16.1 %)." */
export function labelledLine(precision: Precision): string {
  const { labelled, share_genuine: share, low, high } = precision;
  const parts = OUTCOMES.filter((outcome) => precision[outcome] > 0)
    .sort((a, b) => precision[b] - precision[a])
    .map((outcome) => `${precision[outcome]} ${outcome}`);
  const counts = `Of ${labelled} labelled, ${parts.join(', ')}`;
  return share === null || low === null || high === null
    ? `${counts}: too few for a rate.`
    : `${counts}: ${percent(share)} genuine (95 % interval ${percent(low)} to ${percent(high)}).`;
}
