import type { GrantedCheck } from '@verdict/admission/granted-checks.js';
import type { Judgement } from '@verdict/admission/judge.js';
import type { DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import type { CheckRow, CheckVerdict } from '@verdict/db/checks/check-row.js';
import { domainOfAddress } from '@verdict/domain/address/domain-of-address.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { type EmailStorage, storedEmail, storedIp, storedReasons } from '@verdict/domain/email-storage.js';

export interface Privacy {
  readonly storage: EmailStorage;
  readonly hashSecret: string;
}

export interface JudgedCheck extends GrantedCheck {
  readonly judgement: Judgement;
  /** As it was before lists. */
  readonly verdict: DecidedVerdict;
}

/** The check as it is stored: no more of the person than the operator allows. */
export function toCheckRow(
  judged: JudgedCheck,
  createdAt: string,
  { storage, hashSecret }: Privacy,
): CheckRow {
  const { group, check, judgement } = judged;
  const { email, canonical, ip } = check;
  return {
    id: check.id,
    account_id: group.account_id,
    key_id: group.key_id,
    request_id: group.request_id,
    created_at: createdAt,
    email: storedEmail(storage, email),
    domain: domainOfAddress(canonical),
    email_hash: hashEmail(hashSecret, canonical),
    ip: storedIp(storage, ip),
    verdict: storedVerdict(judged, storedReasons(storage, judgement.reasons, [email, canonical], ip)),
  };
}

/** Rows that share a judgement, and keep its reasons, share what is stored of it. */
const shared = new WeakMap<Judgement, CheckVerdict>();

function storedVerdict({ judgement, verdict }: JudgedCheck, reasons: readonly string[]): CheckVerdict {
  const isWhole = reasons === judgement.reasons;
  const known = isWhole ? shared.get(judgement) : undefined;
  if (known) return known;
  const { decision, risk_score, signals, factors } = judgement;
  const codes = factors.map(({ code, points }) => ({ code, points }));
  const stored: CheckVerdict = {
    decision,
    risk_score,
    verdict_score: verdict.risk_score,
    signals,
    factors: codes,
    datasets: verdict.datasets,
    reasons,
  };
  if (isWhole) shared.set(judgement, stored);
  return stored;
}
