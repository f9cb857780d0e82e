import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import type { Metering } from './metering.js';
import { addMoments, type CheckMoments } from './queued-checks.js';

/** The checks of an account that lie among the dead letters. */
export async function setAsideChecks({ deadLetters }: Metering, accountId: string): Promise<CheckMoments> {
  const moments: CheckMoments = new Map();
  for (const { payload } of await deadLetters.list()) {
    const job = payload as Partial<CheckLogJob> | null;
    if (job?.note && Array.isArray(job.groups)) addMoments(moments, accountId, job as CheckLogJob, job.note);
  }
  return moments;
}
