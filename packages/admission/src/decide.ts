import type { DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import { decisionForScore } from '@verdict/domain/decision.js';

const decided = new WeakMap<Verdict, DecidedVerdict>();

/**
 * Adds the decision of the score's band, once for each verdict. A verdict that has a decision keeps it: another release
 * may have answered by other bands.
 */
export function decide(verdict: Verdict | DecidedVerdict): DecidedVerdict {
  if ('decision' in verdict) return verdict;
  const known = decided.get(verdict);
  if (known) return known;
  const made = { ...verdict, decision: decisionForScore(verdict.risk_score) };
  decided.set(verdict, made);
  return made;
}
