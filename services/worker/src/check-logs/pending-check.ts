import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import type { CheckRow } from '@verdict/db/checks/check-row.js';
import type { DeliveredJob } from '@verdict/queues/check-log-consumer.js';

/** One check between the queue and Postgres. */
export interface PendingCheck {
  readonly row: CheckRow;
  /** By a test key: kept apart, and counted nowhere. */
  readonly isTest: boolean;
  readonly job: DeliveredJob;
  /** A job that would store this check alone: the content of a dead letter. */
  alone(): CheckLogJob;
}
