import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@verdict/db/database/client.js';
import { claimDueDeliveries, releaseDeliveries } from '@verdict/db/webhooks/webhook-outbox.js';
import { CIRCUIT_FAILURES } from '@verdict/domain/webhook-schedule.js';
import type { WebhookJobs } from '@verdict/queues/webhook-jobs.js';

export interface OutboxRelay {
  /** Something was settled: there may be room for more. */
  nudge(): void;
  close(): Promise<void>;
}

interface Options {
  readonly db: Database;
  readonly jobs: WebhookJobs;
  readonly onError: (error: unknown) => void;
}

const LOOK_EVERY_MS = 500;
const CLAIM_MAX = 100;
const PER_ENDPOINT_MAX = 4;
/** Longer than a message can wait in the queue and be under way; a worker that was killed is found earlier, by BullMQ. */
const LEASE_SECONDS = 120;

/**
 * Brings what is due from Postgres to the queue. Nothing is lost when either side dies: what was claimed and not settled
 * is due again when its lease ends.
 */
export function runOutboxRelay({ db, jobs, onError }: Options): OutboxRelay {
  const closing = new AbortController();
  let resting = new AbortController();

  async function relayOnce(): Promise<void> {
    const due = await claimDueDeliveries(db, {
      countMax: CLAIM_MAX,
      perEndpointMax: PER_ENDPOINT_MAX,
      circuitFailures: CIRCUIT_FAILURES,
      leaseSeconds: LEASE_SECONDS,
    });
    if (due.length === 0) return;
    try {
      await jobs.add(due.map(({ id, attempts }) => ({ delivery_id: id, attempts })));
    } catch (error) {
      await releaseDeliveries(
        db,
        due.map(({ id }) => id),
      );
      throw error;
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      resting = new AbortController();
      const signal = AbortSignal.any([resting.signal, closing.signal]);
      await relayOnce().catch(onError);
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  const running = run();

  return {
    nudge: () => resting.abort(),
    async close() {
      closing.abort();
      await running;
    },
  };
}
