import { setTimeout as pause } from 'node:timers/promises';
import { overdueBulkJobs, putOffBulkJob, renewBulkLease, takeBulkJob } from '@verdict/db/bulk/bulk-lease.js';
import { type BulkChunk, openBulkQueue } from '@verdict/queues/bulk-queue.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import type { ScoringClient } from '@verdict/scoring-client/scoring-client.js';
import { every } from '@verdict/service-kit/every.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import { askAgain } from './ask-again.js';
import { type ChunkDependencies, runChunk } from './run-chunk.js';
import { scorePatiently } from './score-patiently.js';

interface Options extends Omit<ChunkDependencies, 'score'> {
  readonly redis: RedisConnection;
  readonly scoring: ScoringClient;
  readonly log: Logger;
  readonly onError: (error: unknown) => void;
}

/** Jobs that a worker runs concurrently. */
const JOBS_AT_ONCE = 4;
/** How long a job that was started waits at most. */
const DISPATCH_EVERY_MS = 1_000;
/** How long a chunk that failed is left alone. */
const RETRY_MS = 1_000;

/**
 * Runs bulk jobs. Postgres says which jobs run and under which lease somebody works at them; BullMQ spreads chunks over the
 * workers and keeps their pauses. Each chunk queues the next, and what a crash has lost of that is found by its lease.
 */
export function startBulk(options: Options) {
  const { db, redis, scoring, log, onError } = options;
  const closing = new AbortController();

  /** New domains use a separate budget for bulk, so that the account's other checks keep theirs. */
  const score = async (emails: readonly string[], accountId: string) =>
    (await scoring.scoreAll({ emails, accountId: `bulk ${accountId}` })).map(({ verdict }) => verdict);

  async function handle({ jobId, lease: queued }: BulkChunk): Promise<void> {
    const job = await takeBulkJob(db, { id: jobId, lease: queued });
    if (!job) return;
    const patience = {
      async pause(ms: number) {
        await pause(ms, undefined, { signal: closing.signal }).catch(() => undefined);
        await renewBulkLease(db, job);
      },
      isOver: () => closing.signal.aborted,
    };
    const deps: ChunkDependencies = {
      ...options,
      score: (emails, accountId) => scorePatiently(score, emails, accountId, patience),
    };
    const run = job.done < job.addresses ? runChunk : askAgain;
    const afterMs = await run(deps, job).catch((error: unknown) => {
      log.warn({ jobId, cause: messageOf(error) }, 'a chunk will be tried again');
      return RETRY_MS;
    });
    if (afterMs === null || !(await putOffBulkJob(db, job, afterMs))) return;
    await queue.add({ jobId, lease: job.lease }, afterMs);
  }

  const queue = openBulkQueue({
    connection: redis,
    concurrency: JOBS_AT_ONCE,
    handle,
    onError,
  });
  const stopDispatch = every(
    DISPATCH_EVERY_MS,
    async () => {
      for (const { id, lease } of await overdueBulkJobs(db)) await queue.add({ jobId: id, lease }, 0);
    },
    onError,
  );

  return {
    /** Starts no more chunks and waits for the running ones. */
    async close() {
      closing.abort();
      await stopDispatch();
      await queue.close();
    },
  };
}
