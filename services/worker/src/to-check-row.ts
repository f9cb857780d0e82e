import type { CheckLog } from '@verdict/contracts/check-log-job.js';
import type { CheckRow, CheckVerdict } from '@verdict/db/check-row.js';
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
    request_id: log.request_id,
    created_at: log.created_at,
    email: storedEmail(storage, log.email),
    domain: domainOfEmail(log.email),
    email_hash: hashEmail(hashSecret, log.email),
    ip: storedIp(storage, log.ip),
    verdict: storedVerdict(storage, log),
  };
}

/** The verdict itself wherever its reasons may stay as they are: rows that share one share its storing too. */
function storedVerdict(storage: EmailStorage, { verdict, email, ip }: CheckLog): CheckVerdict {
  const reasons = storedReasons(storage, verdict.reasons, email, ip);
  return reasons === verdict.reasons ? verdict : { ...verdict, reasons };
}
