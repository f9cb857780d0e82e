import type { CheckResult, Expansion } from '@verdict/contracts/check-api.js';
import type { CheckLog } from '@verdict/contracts/check-log-job.js';
import type { Caller } from '@verdict/redis-store/admit.js';
import type { Scored } from '../clients/scoring-client.js';
import type { CheckInput } from './check-input.js';
import type { Judgement } from './judge.js';

/** Everything known about a check once it is judged; its two outward forms are made from this alone. */
export interface Check {
  readonly logId: string;
  readonly requestId: string;
  readonly caller: Caller;
  readonly input: CheckInput;
  readonly scored: Scored;
  readonly judgement: Judgement;
  readonly createdAt: string;
}

export function toResult(check: Check, expand: ReadonlySet<Expansion>): CheckResult {
  const { input, scored, judgement } = check;
  const { signals, extra } = scored.verdict.line;
  const result: CheckResult = {
    success: true,
    id: check.logId,
    email: input.address.text,
    ip: input.ip,
    decision: judgement.verdict.decision,
    risk_score: judgement.verdict.risk_score,
    signals: expand.has('signals') ? { ...signals, ...extra } : signals,
    reasons: judgement.verdict.reasons,
    created_at: check.createdAt,
  };
  if (expand.has('breakdown'))
    result.breakdown = { factors: [...judgement.factors], datasets: scored.datasets };
  return result;
}

export function toLog(check: Check): CheckLog {
  const { input, judgement, caller } = check;
  return {
    id: check.logId,
    account_id: caller.accountId,
    key_id: caller.keyId,
    email: input.address.text,
    ip: input.ip,
    request_id: check.requestId,
    created_at: check.createdAt,
    verdict: judgement.verdict,
  };
}
