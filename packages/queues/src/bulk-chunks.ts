import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionOptions, type Job, Queue } from 'bullmq';
import { BULK_CHUNK_PREFIX, BULK_CHUNK_QUEUE, CAPPED_BACKOFF } from './queue-names.js';
import { openTakenJobs } from './taken-jobs.js';

/** The next piece of a bulk job. The job in Postgres says what it is; this says that somebody should do it. */
export interface BulkChunk {
  readonly jobId: string;
  /** Where the job was when this was queued: a chunk of another place is stale. */
  readonly place: string;
}

/** What follows a chunk; null when nothing does. */
export type NextChunk = (BulkChunk & { readonly afterMs: number }) | null;

export interface BulkChunks {
  /** Queued once, however often it is added while it is there. */
  add(chunk: BulkChunk, afterMs: number): Promise<void>;
  /** Takes no new chunks and waits for those in hand. */
  close(): Promise<void>;
}

interface Options {
  readonly connection: ConnectionOptions;
  /** Chunks at once, each of another job. */
  readonly concurrency: number;
  readonly handle: (chunk: BulkChunk) => Promise<NextChunk>;
  readonly onError: (error: Error) => void;
  /** The chunk goes back to the queue, to be tried again. */
  readonly onRetry: (chunk: BulkChunk, error: Error) => void;
}

const LOOK_EVERY_MS = 50;
/** How long the chunk of a worker that was killed waits for another. */
const LOCK_MS = 10_000;

const OPTIONS = {
  attempts: 1_000_000,
  backoff: { type: CAPPED_BACKOFF },
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 3,
};

/** The queue of chunks, and whoever does them. The next chunk is queued before the last one is completed. */
export function openBulkChunks(options: Options): BulkChunks {
  const { connection, concurrency, handle, onError, onRetry } = options;
  const queue = new Queue<BulkChunk>(BULK_CHUNK_QUEUE, {
    connection,
    prefix: BULK_CHUNK_PREFIX,
    skipVersionCheck: true,
    streams: { events: { maxLen: 100 } },
  });
  queue.on('error', onError);
  const jobs = openTakenJobs({
    connection,
    queue: BULK_CHUNK_QUEUE,
    prefix: BULK_CHUNK_PREFIX,
    lockMs: LOCK_MS,
    onError,
  });
  const closing = new AbortController();
  const inHand = new Set<Promise<void>>();

  async function add(chunk: BulkChunk, afterMs: number): Promise<void> {
    await queue.add('chunk', chunk, {
      ...OPTIONS,
      jobId: `${chunk.jobId}-${chunk.place}`,
      ...(afterMs > 0 && { delay: Math.ceil(afterMs) }),
    });
  }

  async function finish(job: Job<BulkChunk>): Promise<void> {
    try {
      const next = await handle(job.data);
      if (next) await add({ jobId: next.jobId, place: next.place }, next.afterMs);
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      onRetry(job.data, error);
      await jobs.giveBack([job], error);
      return;
    }
    await jobs.complete([job]);
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const free = concurrency - inHand.size;
      const taken = free > 0 ? await jobs.take(free).catch(failed) : [];
      for (const job of taken) {
        const one: Promise<void> = finish(job)
          .catch(onError)
          .finally(() => inHand.delete(one));
        inHand.add(one);
      }
      await pause(LOOK_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    await Promise.all(inHand);
  }

  function failed(error: unknown): Job[] {
    onError(error as Error);
    return [];
  }
  const running = run();

  return {
    add,
    async close() {
      closing.abort();
      await running;
      await jobs.close();
      await queue.close();
    },
  };
}
