import { WEBHOOK_WAIT_SECONDS_MAX } from '@verdict/domain/webhook-schedule.js';
import { Prisma } from '../generated/client.js';
import { isAhead, isLeased } from './lease.js';
import type { WorkQueue } from './work-queue.js';

/** A row in the middle of a lease must be held longer than a busy machine takes for a page or a part. */
const PAGE_SECONDS = 60;

const mails: WorkQueue = {
  table: 'outgoing_mails',
  lease: 'tries',
  until: 'next_try_at',
  waits: Prisma.sql`true`,
  order: Prisma.sql`w.next_try_at`,
  leaseSeconds: 120,
  pauseSecondsMax: 1_800,
  places: 2,
};

/** webhooks/webhook-outbox.ts chooses among them, because accounts and endpoints take turns. */
const webhooks: WorkQueue = {
  table: 'webhook_deliveries',
  lease: 'lease',
  until: 'queued_until',
  // A message that was never tried is due, whatever a clock said when it was written.
  waits: Prisma.sql`w.status = 'pending'
    AND (w.attempts = w.attempts_before OR NOT ${isAhead('w.next_attempt_at', WEBHOOK_WAIT_SECONDS_MAX)})`,
  order: Prisma.sql`w.next_attempt_at, w.id`,
  // Longer than an attempt and its note in Postgres take.
  leaseSeconds: 30,
  pauseSecondsMax: 30,
  places: 64,
};

const backtests: WorkQueue = {
  table: 'policy_backtests',
  lease: 'lease',
  until: 'leased_until',
  waits: Prisma.sql`w.status = 'running'`,
  // Long ones take turns with the others.
  order: Prisma.sql`w.leased_until`,
  leaseSeconds: PAGE_SECONDS,
  pauseSecondsMax: 60,
  tries: { column: 'tries', max: 20 },
  places: 1,
};

const fileLease = { until: 'leased_until', leaseSeconds: PAGE_SECONDS };

const files: WorkQueue = {
  ...fileLease,
  table: 'bulk_jobs',
  lease: 'lease',
  // Accounts parse one file at a time, so that none delays the others.
  waits: Prisma.sql`w.status = 'parsing' AND w.stored IS NOT NULL AND NOT w.erased AND NOT EXISTS (
    SELECT FROM bulk_jobs b WHERE b.account_id = w.account_id AND b.id <> w.id AND b.status = 'parsing'
      AND b.stored IS NOT NULL AND ${isLeased(fileLease, 'b')})`,
  order: Prisma.sql`w.created_at`,
  pauseSecondsMax: 60,
  tries: { column: 'lease', max: 20 },
  places: 4,
};

const bulk: WorkQueue = {
  table: 'bulk_jobs',
  lease: 'lease',
  until: 'leased_until',
  waits: Prisma.sql`w.status = 'running' AND NOT w.erased`,
  // The job that has waited longest, so that jobs take turns.
  order: Prisma.sql`w.leased_until`,
  leaseSeconds: 15,
  pauseSecondsMax: 60,
  places: 4,
};

/** Checks that people review: a person looks at one longer than a process does. */
const reviews: WorkQueue = {
  table: 'reviews',
  lease: 'lease',
  until: 'leased_until',
  waits: Prisma.sql`NOT EXISTS (
    SELECT FROM outcomes o WHERE o.account_id = w.account_id AND o.subject IN (w.id, w.email_hash))`,
  order: Prisma.sql`w.created_at, w.id`,
  leaseSeconds: 600,
  pauseSecondsMax: 600,
  places: 1,
};

/** Rows begin at the end of a pause, which leaves time to roll a bad release back. */
const secondLooks: WorkQueue = {
  table: 'second_looks',
  lease: 'lease',
  until: 'leased_until',
  waits: Prisma.sql`w.status IN ('searching', 'revising')`,
  order: Prisma.sql`w.noted_at, w.id`,
  leaseSeconds: PAGE_SECONDS,
  pauseSecondsMax: 3_600,
  // Scoring may need a while until it has the release.
  tries: { column: 'tries', max: 60 },
  places: 1,
};

/** People whom accounts erase: again and again until nothing from before is queued any more. */
const subjectErasures: WorkQueue = {
  table: 'subject_erasures',
  lease: 'lease',
  until: 'leased_until',
  waits: Prisma.sql`w.done_at IS NULL`,
  order: Prisma.sql`w.leased_until`,
  leaseSeconds: PAGE_SECONDS,
  pauseSecondsMax: 60,
  places: 1,
};

/** Everything that Postgres leases to workers, control planes and people. */
export const QUEUES = {
  mails,
  webhooks,
  backtests,
  files,
  bulk,
  reviews,
  secondLooks,
  subjectErasures,
} as const;
