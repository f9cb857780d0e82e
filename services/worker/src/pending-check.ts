import type { CheckLog } from '@verdict/contracts/check-log-job.js';
import type { CheckRow } from '@verdict/db/check-row.js';

/** One check between the queue and Postgres. */
export interface PendingCheck {
  readonly row: CheckRow;
  /** As it was queued: what a dead letter keeps. */
  readonly log: CheckLog;
  readonly jobId: string;
  readonly queuedAtMs: number;
}
