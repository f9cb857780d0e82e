import { randomBytes } from 'node:crypto';
import { decide } from '@verdict/admission/decide.js';
import { judge } from '@verdict/admission/judge.js';
import { CHECK_LOG_VERSION, type CheckLogJob } from '@verdict/contracts/check-log-job.js';
import { NOTE_VERSION } from '@verdict/contracts/step-note.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import type { CheckRow } from '@verdict/db/checks/check-row.js';
import { domainOfAddress } from '@verdict/domain/address/domain-of-address.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';

export const createId = createIdFactory(Date.now, (bytes) => randomBytes(bytes.length).copy(bytes));
export const HASH_SECRET = randomBytes(16).toString('hex');

/** A check that was granted: by whom, about whom, when, and how it was judged. */
export interface CheckLog {
  readonly id: string;
  readonly account_id: string;
  readonly email: string;
  readonly created_at: string;
  readonly verdict: Verdict;
}

export const verdictOf = (decision: 'allow' | 'block' = 'allow', reason = 'A reason'): Verdict => {
  const points = decision === 'allow' ? 5 : 90;
  return sampleVerdict({ risk_score: points, factors: [{ code: 'TEST', points, reason }] });
};

export const checkLog = (fields: Partial<CheckLog> = {}): CheckLog => ({
  id: createId('log'),
  account_id: 'acc_1',
  email: 'Jane@Example.com',
  created_at: formatCreatedAt(Date.now() * 1000),
  verdict: verdictOf(),
  ...fields,
});

/** Checks of one moment as a job that brings its note along. */
export function jobOf(logs: readonly CheckLog[]): CheckLogJob {
  return {
    v: CHECK_LOG_VERSION,
    verdicts: logs.map(({ verdict }) => decide(verdict)),
    groups: logs.map(({ id, account_id, email }, verdict) => ({
      account_id,
      key_id: 'key_1',
      request_id: createId('req'),
      checks: [{ id, email, canonical: email.toLowerCase(), ip: null, verdict }],
    })),
    note: {
      v: NOTE_VERSION,
      now: microsOf(logs[0]?.created_at ?? formatCreatedAt(Date.now() * 1000)),
      callers: [],
      groups: logs.map(() => ({ caller: 0, outcome: 'granted' as const })),
    },
  };
}

/** The checks as a worker stores them that keeps addresses. */
export const rowsOf = (logs: readonly CheckLog[]): CheckRow[] =>
  logs.map(({ id, account_id, email, created_at, verdict }) => {
    const canonical = email.toLowerCase();
    return {
      id,
      account_id,
      key_id: 'key_1',
      request_id: createId('req'),
      created_at,
      email,
      domain: domainOfAddress(canonical),
      email_hash: hashEmail(HASH_SECRET, canonical),
      mailbox_hash: null,
      ip: null,
      verdict: {
        ...judge(decide(verdict)),
        verdict_score: verdict.risk_score,
        datasets: verdict.datasets,
      },
    };
  });

const microsOf = (createdAt: string): number =>
  Date.parse(`${createdAt.slice(0, 19)}Z`) * 1000 + Number(createdAt.slice(20, 26));
