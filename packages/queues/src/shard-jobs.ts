import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionOptions, type Job, Worker } from 'bullmq';
import { capLockTtls } from './cap-lock-ttls.js';
import { cappedBackoff } from './capped-backoff.js';
import { CHECK_LOG_QUEUE, shardPrefix } from './queue-names.js';

/** The check logs of one shard, taken by hand: many in one write, instead of one whenever one arrives. */
export type ShardJobs = ReturnType<typeof openShardJobs>;

interface ShardOptions {
  readonly connection: ConnectionOptions;
  readonly shard: number;
  /** How long a job stays with a consumer that is not heard of again. */
  readonly lockMs: number;
  readonly onError: (error: Error) => void;
}

/** How long a shard that could not be asked is left alone. */
const AFTER_ERROR_MS = 100;

/**
 * A token for every take: what a round completes is what that round took. With one for the whole worker a late
 * completion, of a job that meanwhile went to somebody else and came back, would remove it from the hands of another round.
 *
 * However often a worker is killed, a job is never failed for it. A job that cannot be completed because its lock was
 * lost has gone to somebody else already, who finds its rows there.
 */
export function openShardJobs({ connection, shard, lockMs, onError }: ShardOptions) {
  const worker = new Worker(CHECK_LOG_QUEUE, null, {
    connection,
    prefix: shardPrefix(shard),
    skipVersionCheck: true,
    autorun: false,
    lockDuration: lockMs,
    stalledInterval: lockMs / 2,
    maxStalledCount: 1_000_000,
    settings: { backoffStrategy: (attemptsMade) => cappedBackoff(attemptsMade, Math.random) },
  });
  worker.on('error', onError);
  worker.startStalledCheckTimer().catch(onError);
  const inHand = new Set<Job>();
  const renewing = setInterval(() => {
    capLockTtls(worker, lockMs).catch(onError);
    if (inHand.size === 0) return;
    const jobs = [...inHand];
    worker.extendJobLocks(jobs.map(idOf), jobs.map(tokenOf), lockMs).catch(onError);
  }, lockMs / 2);

  /**
   * Asking for a job that is not there costs Redis nearly as much as taking one, and counting them nearly nothing. At
   * least one is asked for: that is what brings back jobs whose next try is due.
   */
  async function countWaiting(): Promise<number> {
    try {
      const redis = await worker.getBackend().client;
      return Math.max(1, await redis.llen(worker.keys.wait as string));
    } catch (error) {
      onError(error as Error);
      return 1;
    }
  }

  async function settle(jobs: readonly Job[], settleOne: (job: Job) => Promise<unknown>): Promise<void> {
    for (const job of jobs) inHand.delete(job);
    const outcomes = await Promise.allSettled(jobs.map(settleOne));
    for (const outcome of outcomes) if (outcome.status === 'rejected') onError(outcome.reason);
  }

  return {
    /** Takes up to so many of the waiting jobs in one write. Returns those taken before a failure. */
    async take(countMax: number) {
      const count = Math.min(await countWaiting(), countMax);
      const token = randomUUID();
      const asked = Array.from({ length: count }, () => worker.getNextJob(token, { block: false }));
      const jobs: Job[] = [];
      for (const outcome of await Promise.allSettled(asked)) {
        if (outcome.status === 'rejected') onError(outcome.reason);
        else if (outcome.value) jobs.push(outcome.value);
      }
      for (const job of jobs) inHand.add(job);
      return jobs;
    },
    /** Blocks in Redis until a job is there and takes it; empty after some seconds without one. */
    async wait() {
      try {
        const job = await worker.getNextJob(randomUUID(), { block: true });
        if (job) inHand.add(job);
        return job ? [job] : [];
      } catch (error) {
        onError(error as Error);
        await pause(AFTER_ERROR_MS);
        return [];
      }
    },
    complete: (jobs: readonly Job[]) =>
      settle(jobs, (job) => job.moveToCompleted(undefined, tokenOf(job), false)),
    /** Back to the queue, to be tried again. */
    giveBack: (jobs: readonly Job[], error: Error) =>
      settle(jobs, (job) => job.moveToFailed(error, tokenOf(job), false)),
    /** Ends the waiting at once; jobs in hand may still be completed. */
    // By force, because BullMQ would wait for a blocking command to end by itself. The connection of the jobs is ours and stays.
    stop: () => worker.close(true),
    /** Nothing is in hand any more. */
    async close() {
      clearInterval(renewing);
      await worker.close(true);
    },
  };
}

const idOf = (job: Job): string => job.id as string;
/** BullMQ notes on a job which token it was taken with. */
const tokenOf = (job: Job): string => job.token as string;
