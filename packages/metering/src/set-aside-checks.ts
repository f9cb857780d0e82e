import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import type { Metering } from './metering.js';
import { addMoments, type CheckMoments } from './queued-checks.js';

/** The checks of an account among the dead letters. */
export async function setAsideChecks({ deadLetters }: Metering, accountId: string): Promise<CheckMoments> {
  const moments: CheckMoments = new Map();
  for (const { payload } of await deadLetters.list()) {
    const { note, groups } = (payload ?? {}) as Partial<CheckLogJob>;
    if (note && Array.isArray(groups)) addMoments(moments, accountId, { groups }, note);
  }
  return moments;
}
