import type { JobsOptions } from 'bullmq';
import { CAPPED_BACKOFF } from './queue-names.js';

/** A job is never given up: it is removed when it is done and stays when it failed. */
export const CHECK_LOG_JOB_OPTIONS: JobsOptions = {
  attempts: 1_000_000,
  backoff: { type: CAPPED_BACKOFF },
  removeOnComplete: true,
  removeOnFail: false,
  // It may come back a million times, and every time BullMQ notes where it failed.
  stackTraceLimit: 3,
};
