import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@verdict/db/database/client.js';
import {
  claimDueDeliveries,
  hasDueDeliveries,
  type OutgoingWebhook,
} from '@verdict/db/webhooks/webhook-outbox.js';
import { CIRCUIT_FAILURES } from '@verdict/domain/webhook-schedule.js';

interface Options {
  readonly db: Database;
  readonly deliver: (outgoing: OutgoingWebhook) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const LOOK_EVERY_MS = 1_000;
/** Messages under way at once. The upper half is for first messages to endpoints that answer quickly. */
const PLACES = 64;
const SHARED_PLACES = 32;
const PER_ACCOUNT_MAX = 8;
/** Longer than an attempt and its note in Postgres take; a message of a worker that was killed waits for so long. */
const LEASE_SECONDS = 30;

/**
 * Sends what is due, straight from Postgres. A message stays leased until its outcome is noted, so that one of a worker
 * that died is sent again.
 */
export function runWebhookSender({ db, deliver, onError }: Options) {
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function sendDue(): Promise<void> {
    const taken = underWay.size;
    if (taken >= PLACES || !(await hasDueDeliveries(db))) return;
    const claimed = await claimDueDeliveries(db, {
      free: PLACES - taken,
      shared: Math.max(0, SHARED_PLACES - taken),
      perAccountMax: PER_ACCOUNT_MAX,
      circuitFailures: CIRCUIT_FAILURES,
      leaseSeconds: LEASE_SECONDS,
    });
    for (const outgoing of claimed) {
      const sending: Promise<void> = deliver(outgoing)
        .catch(onError)
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await sendDue().catch(onError);
      const rested = new AbortController();
      const signal = AbortSignal.any([rested.signal, closing.signal]);
      // One that is settled makes room for the next.
      await Promise.race([pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined), ...underWay]);
      rested.abort();
    }
    await Promise.all(underWay);
  }
  const running = run();

  return {
    /** Takes no message more and waits for those under way. */
    async close() {
      closing.abort();
      await running;
    },
  };
}
