import {
  CHECK_LOG_VERSION,
  type CheckLogJob,
  type DecidedVerdict,
} from '@verdict/contracts/check-log-job.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import { decide } from './decide.js';
import type { Submission } from './submission.js';

/** Submissions as their job carries them: judged without lists, and a verdict that several checks hold is written once. */
export function packBatch(submissions: readonly Submission[]): CheckLogJob {
  const verdicts: DecidedVerdict[] = [];
  const positions = new Map<Verdict, number>();
  const positionOf = (verdict: Verdict): number => {
    const known = positions.get(verdict);
    if (known !== undefined) return known;
    const position = verdicts.push(decide(verdict)) - 1;
    positions.set(verdict, position);
    return position;
  };
  const groups = submissions.map(({ caller, requestId, checks }) => ({
    account_id: caller.accountId,
    key_id: caller.keyId,
    request_id: requestId,
    checks: checks.map(({ id, email, canonical, ip, verdict }) => ({
      id,
      email,
      canonical,
      ip,
      verdict: positionOf(verdict),
    })),
  }));
  return { v: CHECK_LOG_VERSION, verdicts, groups };
}
