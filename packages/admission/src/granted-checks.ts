import type { CheckLogJob, LoggedCheck, LoggedGroup } from '@verdict/contracts/check-log-job.js';
import type { ListMatch, Seen, StepNote } from '@verdict/contracts/step-note.js';
import { seenOf } from './seen-of.js';

export interface GrantedCheck {
  readonly group: LoggedGroup;
  readonly check: LoggedCheck;
  readonly match: ListMatch | undefined;
  readonly seen: Seen | undefined;
  /** Versions of the policy that judge it; '' for none. */
  readonly policies: string;
  /** By a test key: not counted. */
  readonly isTest: boolean;
}

/** Those checks of a job that its batch's note grants: they are what is persisted, and counted but for test keys. */
export function* grantedChecks(job: Pick<CheckLogJob, 'groups'>, note: StepNote): Generator<GrantedCheck> {
  for (const [position, group] of job.groups.entries()) {
    const { outcome, matches, policies = '', test: isTest = false, ...counted } = note.groups[position] ?? {};
    if (outcome !== 'granted') continue;
    const seen = seenOf(counted);
    for (const [at, check] of group.checks.entries()) {
      const match = matches?.find((one) => one.at === at);
      yield { group, check, match, seen: seen[at], policies, isTest };
    }
  }
}
