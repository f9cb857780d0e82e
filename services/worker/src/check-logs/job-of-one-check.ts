import type { GrantedCheck } from '@verdict/admission/granted-checks.js';
import {
  CHECK_LOG_VERSION,
  type CheckLogJob,
  type DecidedVerdict,
} from '@verdict/contracts/check-log-job.js';
import { NOTE_VERSION, type StepNote } from '@verdict/contracts/step-note.js';

/** A job that holds one granted check and brings its note along: queued again, it persists that check and no other. */
export function jobOfOneCheck(
  { group, check, match, seen, policies, isTest }: GrantedCheck,
  verdict: DecidedVerdict,
  { now }: StepNote,
  engine: number | undefined,
): CheckLogJob {
  return {
    v: CHECK_LOG_VERSION,
    verdicts: [verdict],
    ...(engine !== undefined && { engine }),
    groups: [{ ...group, checks: [{ ...check, verdict: 0 }] }],
    note: {
      v: NOTE_VERSION,
      now,
      callers: [],
      groups: [
        {
          caller: 0,
          outcome: 'granted',
          ...(isTest && { test: true as const }),
          ...(match && { matches: [{ ...match, at: 0 }] }),
          ...(seen && { seen: [seen] }),
          ...(policies && { policies }),
        },
      ],
    },
  };
}
