import type { DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import { decisionForScore } from '@verdict/domain/decision.js';
import { oncePerObject } from '@verdict/domain/once-per-object.js';

/**
 * Adds the decision of the score's band, once for each verdict. A verdict that has a decision keeps it: another release
 * may have answered by other bands.
 */
export function decide(verdict: Verdict | DecidedVerdict): DecidedVerdict {
  return 'decision' in verdict ? verdict : addDecision(verdict);
}

const addDecision = oncePerObject(
  (verdict: Verdict): DecidedVerdict => ({ ...verdict, decision: decisionForScore(verdict.risk_score) }),
);
