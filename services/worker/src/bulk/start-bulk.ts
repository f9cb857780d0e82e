import { setTimeout as pause } from 'node:timers/promises';
import { findRunningBulkJob, type RunningBulkJob, waitingBulkJobs } from '@verdict/db/bulk/bulk-chunks.js';
import { type BulkChunk, type NextChunk, openBulkChunks } from '@verdict/queues/bulk-chunks.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { every } from '@verdict/service-kit/every.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import { askAgain } from './ask-again.js';
import { type ChunkDependencies, runChunk } from './run-chunk.js';
import type { ScoreAddresses } from './score-addresses.js';
import { scorePatiently } from './score-patiently.js';

interface Options extends Omit<ChunkDependencies, 'score'> {
  readonly redis: RedisConnection;
  readonly score: ScoreAddresses;
  readonly log: Logger;
}

export interface RunningBulk {
  /** Begins no chunk more and waits for those in hand. */
  close(): Promise<void>;
}

/** Jobs of which a worker does a chunk at once. */
const JOBS_AT_ONCE = 4;
/** How long a job that was started waits at most, and one whose chunk a dying Redis lost. */
const DISPATCH_EVERY_MS = 500;

/**
 * Runs bulk jobs. Which jobs run is in Postgres; that a chunk is to be done now, and by whom, is in BullMQ. Each chunk queues
 * the next, and whatever a crash has lost of that is found in Postgres and queued again.
 */
export function startBulk(options: Options): RunningBulk {
  const { db, redis, log } = options;
  const closing = new AbortController();
  const patience = {
    pause: (ms: number) => pause(ms, undefined, { signal: closing.signal }).catch(() => undefined),
    isOver: () => closing.signal.aborted,
  };
  const deps: ChunkDependencies = {
    ...options,
    score: (emails, accountId) => scorePatiently(options.score, emails, accountId, patience),
  };

  async function handle({ jobId, place }: BulkChunk): Promise<NextChunk> {
    const job = await findRunningBulkJob(db, jobId);
    // Paused, canceled or erased meanwhile; or somebody else did this chunk, and queued the next.
    if (!job || placeOf(job) !== place) return null;
    const afterMs = job.done < job.addresses ? await runChunk(deps, job) : await askAgain(deps, job);
    if (afterMs === null) return null;
    const next = await findRunningBulkJob(db, jobId);
    return next ? { jobId, place: placeOf(next), afterMs } : null;
  }

  const chunks = openBulkChunks({
    connection: redis,
    concurrency: JOBS_AT_ONCE,
    handle,
    onError: (error) => log.warn({ cause: messageOf(error) }, 'queue of bulk jobs failed'),
    onRetry: ({ jobId }, error) =>
      log.warn({ jobId, cause: messageOf(error) }, 'a chunk will be tried again'),
  });
  const stopDispatch = every(
    DISPATCH_EVERY_MS,
    async () => {
      for (const job of await waitingBulkJobs(db))
        await chunks.add({ jobId: job.id, place: placeOf(job) }, 0);
    },
    (error) => log.warn({ cause: messageOf(error) }, 'bulk jobs could not be queued'),
  );

  return {
    async close() {
      closing.abort();
      await stopDispatch();
      await chunks.close();
    },
  };
}

/** Where a job is. A chunk that is begun keeps its place until it is done or dropped. */
const placeOf = ({ done, chunk_to, chunk_attempt, again_round, again_after }: RunningBulkJob): string =>
  `${done}-${chunk_to === null ? chunk_attempt : chunk_attempt - 1}-${again_round}-${again_after + 1}`;
