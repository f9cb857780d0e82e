import { CHECK_LOG_VERSION, type CheckLogJob } from '@verdict/contracts/check-log-job.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import { createPositions } from '@verdict/domain/positions.js';
import { decide } from './decide.js';
import { namedEngine } from './engine.js';
import type { Submission } from './submission.js';

type LoggedCheck = CheckLogJob['groups'][number]['checks'][number];

/** Submissions as their job carries them: judged without lists, and a verdict that several checks hold is written once. */
export function packBatch(submissions: readonly Submission[]): CheckLogJob {
  const shared = createPositions<Verdict>();
  const groups = submissions.map(({ caller, requestId, checks }) => ({
    account_id: caller.accountId,
    key_id: caller.keyId,
    request_id: requestId,
    checks: checks.map(({ id, email, canonical, ip, verdict, network, tag }) => {
      const logged: LoggedCheck = { id, email, canonical, ip, verdict: shared.of(verdict) };
      if (network !== undefined) logged.network = network;
      if (tag !== undefined) logged.tag = tag;
      return logged;
    }),
  }));
  return { v: CHECK_LOG_VERSION, verdicts: shared.keys().map(decide), groups, ...namedEngine };
}
