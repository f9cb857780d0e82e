import { randomBytes } from 'node:crypto';
import { decide } from '@verdict/admission/decide.js';
import { CHECK_LOG_VERSION, type CheckLogJob } from '@verdict/contracts/check-log-job.js';
import { NOTE_VERSION } from '@verdict/contracts/step-note.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import type { CheckRow } from '@verdict/db/checks/check-row.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import { readJob } from '../../src/check-logs/read-job.js';
import type { Privacy } from '../../src/check-logs/to-check-row.js';

export const createId = createIdFactory(Date.now, (bytes) => randomBytes(bytes.length).copy(bytes));

/** A check that was granted, in one piece. */
export interface CheckLog {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly email: string;
  readonly ip: string | null;
  readonly request_id: string;
  readonly created_at: string;
  readonly verdict: Verdict;
}

export const SCORES = { allow: 5, challenge: 40, review: 60, block: 90 } as const;

export const verdictOf = (decision: keyof typeof SCORES = 'allow', reason = 'A reason'): Verdict =>
  sampleVerdict({
    risk_score: SCORES[decision],
    factors: [{ code: 'TEST', points: SCORES[decision], reason }],
  });

const VERDICT = verdictOf();

/** A well-formed check with a fresh id. */
export const checkLog = (fields: Partial<CheckLog> = {}): CheckLog => ({
  id: createId('log'),
  account_id: 'acc_1',
  key_id: 'key_1',
  email: 'Jane@Example.com',
  ip: '203.0.113.7',
  request_id: createId('req'),
  created_at: formatCreatedAt(Date.now() * 1000),
  verdict: VERDICT,
  ...fields,
});

/** Checks of one moment as a job that brings its note along, as one does that is queued again. */
export function jobOf(logs: readonly CheckLog[]): CheckLogJob {
  const verdicts = [...new Set(logs.map(({ verdict }) => verdict))];
  return {
    v: CHECK_LOG_VERSION,
    verdicts: verdicts.map(decide),
    groups: logs.map(({ id, account_id, key_id, email, ip, request_id, verdict }) => ({
      account_id,
      key_id,
      request_id,
      checks: [{ id, email, canonical: canonicalOf(email), ip, verdict: verdicts.indexOf(verdict) }],
    })),
    note: {
      v: NOTE_VERSION,
      now: microsOf(logs[0]?.created_at ?? formatCreatedAt(Date.now() * 1000)),
      callers: [],
      groups: logs.map(() => ({ caller: 0, outcome: 'granted' as const })),
    },
  };
}

/** One job for each moment among the checks. */
export function jobsOf(logs: readonly CheckLog[]): CheckLogJob[] {
  const moments = [...new Set(logs.map(({ created_at }) => created_at))];
  return moments.map((moment) => jobOf(logs.filter(({ created_at }) => created_at === moment)));
}

/** The checks as the worker would store them. */
export function rowsOf(logs: readonly CheckLog[], privacy: Privacy): CheckRow[] {
  return jobsOf(logs).flatMap((data) => {
    const job = { batchId: createId('bat'), shard: 0, data, queuedAtMs: 0, traces: undefined };
    if (!data.note) throw new Error('no note');
    const { checks, setAside } = readJob(job, data.note, privacy);
    if (setAside) throw new Error(setAside.reason);
    return checks.map(({ row }) => row);
  });
}

function canonicalOf(email: string): string {
  const parsed = parseEmail(email);
  return parsed.ok ? parsed.address.canonical : email.trim().toLowerCase();
}

const microsOf = (createdAt: string): number =>
  Date.parse(`${createdAt.slice(0, 19)}Z`) * 1000 + Number(createdAt.slice(20, 26));
