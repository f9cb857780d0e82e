import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionOptions, Job } from 'bullmq';
import { WEBHOOK_PREFIX, WEBHOOK_QUEUE } from './queue-names.js';
import { openTakenJobs } from './taken-jobs.js';

export interface WebhookConsumer {
  /** Takes no new jobs and waits for those in hand. */
  close(): Promise<void>;
}

interface ConsumerOptions {
  readonly connection: ConnectionOptions;
  /** Messages under way at a time. */
  readonly concurrency: number;
  /** Gets what the job holds, which comes from another process. Throws when it is to come back. */
  readonly handle: (data: unknown) => Promise<void>;
  readonly onError: (error: Error) => void;
}

/** How often a quiet queue is looked at. */
const LOOK_EVERY_MS = 200;
/** How long the messages of a worker that was killed wait for another. */
const LOCK_MS = 10_000;

/** Sends what is queued, so many at a time; each by itself, so that a slow one holds up nobody. */
export function createWebhookConsumer({
  connection,
  concurrency,
  handle,
  onError,
}: ConsumerOptions): WebhookConsumer {
  const jobs = openTakenJobs({
    connection,
    queue: WEBHOOK_QUEUE,
    prefix: WEBHOOK_PREFIX,
    lockMs: LOCK_MS,
    onError,
  });
  const closing = new AbortController();
  const inHand = new Set<Promise<void>>();

  async function work(job: Job): Promise<void> {
    try {
      await handle(job.data);
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      await jobs.giveBack([job], error);
      if (!closing.signal.aborted) onError(error);
      return;
    }
    await jobs.complete([job]);
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const free = concurrency - inHand.size;
      const taken = free > 0 ? await jobs.take(free) : [];
      for (const job of taken) {
        const working: Promise<void> = work(job)
          .catch(onError)
          .finally(() => inHand.delete(working));
        inHand.add(working);
      }
      const rest = pause(LOOK_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      // One that is done makes room for the next.
      await Promise.race([rest, ...inHand]);
    }
    await Promise.all(inHand);
  }
  const running = run();

  return {
    async close() {
      closing.abort();
      await running;
      await jobs.close();
    },
  };
}
