import type { Subscription } from '../../api/billing.ts';
import type { BulkJob, JobStatus } from '../../api/jobs.ts';
import { formatCount } from '../../ui/format/format.ts';

const MB = 1024 * 1024;

export const BULK_TEXTS = {
  uploading: (name: string) => `Uploading ${name}`,
  limits: (plan: Subscription['plans'][number]) =>
    `Up to 100 MB and ${formatCount(plan.bulk_rows_max)} rows on the ${plan.name} plan, which keeps ${formatCount(plan.bulk_kept_bytes / MB)} MB of files.`,
};

export const STATUS_WORDS: Record<JobStatus, string> = {
  parsing: 'reading',
  ready: 'ready',
  running: 'running',
  paused: 'paused',
  completed: 'completed',
  canceled: 'canceled',
  failed: 'failed',
  expired: 'expired',
};

export const JOB_TEXTS = {
  kinds: { invalid: 'invalid', duplicate: 'duplicate' },
};

/** Explains in a sentence why the job is not running. */
export function standstill({
  status,
  paused_because: reason,
  failed_because: failure,
}: BulkJob): string | null {
  if (status === 'failed') return failure;
  if (status === 'expired')
    return 'Rows and results were removed after 30 days. The checks stay under Checks.';
  if (status === 'ready') return 'Nothing is checked or charged until you start the job.';
  if (status !== 'paused') return null;
  if (reason === 'quota')
    return 'You have used all checks of this month. The job resumes next month or after an upgrade.';
  if (reason === 'key_inactive') return 'The key of this job is inactive. Activate it and the job resumes.';
  return 'You paused this job.';
}
