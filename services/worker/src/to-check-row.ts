import type { CheckLog } from '@verdict/contracts/check-log-job.js';
import type { CheckRow } from '@verdict/db/check-row.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import {
  domainOfEmail,
  type EmailStorage,
  storedEmail,
  storedIp,
  storedReasons,
} from '@verdict/domain/email-storage.js';

export interface Privacy {
  readonly storage: EmailStorage;
  readonly hashSecret: string;
}

/** The check as it is stored: no more of the person than the operator allows. */
export function toCheckRow(log: CheckLog, { storage, hashSecret }: Privacy): CheckRow {
  return {
    id: log.id,
    account_id: log.account_id,
    key_id: log.key_id,
    decision: log.decision,
    risk_score: log.risk_score,
    signals: log.signals,
    factors: log.factors,
    datasets: log.datasets,
    request_id: log.request_id,
    created_at: log.created_at,
    email: storedEmail(storage, log.email),
    domain: domainOfEmail(log.email),
    email_hash: hashEmail(hashSecret, log.email),
    ip: storedIp(storage, log.ip),
    reasons: storedReasons(storage, log.reasons, log.email, log.ip),
  };
}
