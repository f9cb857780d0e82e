import { type ConnectionOptions, Queue, Worker } from 'bullmq';
import { BULK_CHUNK_PREFIX, BULK_CHUNK_QUEUE } from './queue-names.js';

/** Says that somebody should do the next piece of a bulk job. Postgres says what that is, and whether this lease still holds. */
export interface BulkChunk {
  readonly jobId: string;
  readonly lease: number;
}

interface Options {
  readonly connection: ConnectionOptions;
  /** Chunks at once, each of another job. */
  readonly concurrency: number;
  readonly handle: (chunk: BulkChunk) => Promise<void>;
  readonly onError: (error: Error) => void;
}

/** The queue of chunks, and the worker that does them. Postgres leases a failed chunk again, so BullMQ never retries one. */
export function openBulkQueue({ connection, concurrency, handle, onError }: Options) {
  const common = { connection, prefix: BULK_CHUNK_PREFIX, skipVersionCheck: true };
  const queue = new Queue<BulkChunk>(BULK_CHUNK_QUEUE, { ...common, streams: { events: { maxLen: 100 } } });
  queue.on('error', onError);
  const worker = new Worker<BulkChunk>(BULK_CHUNK_QUEUE, (job) => handle(job.data), {
    ...common,
    concurrency,
  });
  worker.on('error', onError);
  worker.on('failed', (_job, error) => onError(error));

  return {
    /** Queued once, however often it is added while it is there. */
    async add(chunk: BulkChunk, afterMs: number) {
      await queue.add('chunk', chunk, {
        jobId: `${chunk.jobId}-${chunk.lease}`,
        delay: Math.ceil(afterMs),
        removeOnComplete: true,
        removeOnFail: true,
      });
    },
    /** Begins no chunk more and waits for those in hand. */
    async close() {
      await worker.close();
      await queue.close();
    },
  };
}
