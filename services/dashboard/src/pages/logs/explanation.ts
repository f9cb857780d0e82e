import type { LogDetail } from '../../api/logs.ts';
import { formatLongDay } from '../../ui/format/format.ts';

/** Plain sentences about a check and its link, to paste into a ticket. */
export function explanationOf(log: LogDetail, origin: string): string {
  const at = `${formatLongDay(log.created_at)} at ${log.created_at.slice(11, 16)} UTC`;
  const reasons = log.reasons.map((reason) => reason.replace(/\.$/, '')).join('; ');
  return [
    `${log.email ?? 'An address that was erased since'} was checked on ${at}.`,
    `The decision was ${log.decision}, with a risk score of ${log.risk_score} out of 100.`,
    reasons ? `Reasons: ${reasons}.` : 'No risk was found.',
    `${origin}/checks/${log.id}`,
  ].join('\n');
}
