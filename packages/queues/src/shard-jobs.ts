import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { createCompleteJobs, createTakeJobs, type TakenFields } from '@verdict/redis-store/rounds-of-jobs.js';
import { Job, Worker } from 'bullmq';
import { bullmqScript } from './bullmq-script.js';
import { capLockTtls } from './cap-lock-ttls.js';
import { cappedBackoff } from './capped-backoff.js';
import { CHECK_LOG_QUEUE, shardPrefix } from './queue-names.js';

/** The check logs of one shard, taken by hand: many in one run, instead of one whenever one arrives. */
export type ShardJobs = ReturnType<typeof openShardJobs>;

/** A job in the hands of this process, as long as its lock lasts. */
export interface TakenJob {
  readonly id: string;
  /** Of its lock. */
  readonly token: string;
  readonly data: unknown;
  readonly queuedAtMs: number;
  /** The traces that its checks belong to, when the producer records any. */
  readonly traces: string | undefined;
}

interface ShardOptions {
  readonly connection: RedisConnection;
  readonly shard: number;
  /** How long a job stays with a consumer that is not heard of again. */
  readonly lockMs: number;
  readonly onError: (error: Error) => void;
}

/** How long a shard that could not be asked is left alone. */
const AFTER_ERROR_MS = 100;
/** Keys of BullMQ's scripts, in their order. */
const TAKE_KEYS = 'wait active prioritized events stalled limiter delayed paused meta pc marker'.split(' ');
const FINISH_KEYS =
  'wait active prioritized events stalled limiter delayed paused meta pc completed job metrics:completed marker'.split(
    ' ',
  );

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
  const scripts = loadScripts(worker);
  scripts.catch(() => undefined); // take() reports it
  const placeOf = (names: readonly string[]) => ({
    keys: names.map((name) => worker.toKey(name)),
    prefix: worker.keys[''] as string,
  });
  const [taking, finishing] = [placeOf(TAKE_KEYS), placeOf(FINISH_KEYS)];
  const inHand = new Set<TakenJob>();
  const renewing = setInterval(() => {
    capLockTtls(worker, lockMs).catch(onError);
    if (inHand.size === 0) return;
    const jobs = [...inHand];
    worker.extendJobLocks(jobs.map(idOf), jobs.map(tokenOf), lockMs).catch(onError);
  }, lockMs / 2);

  function hold(jobs: TakenJob[]): TakenJob[] {
    for (const job of jobs) inHand.add(job);
    return jobs;
  }

  return {
    /** Takes up to so many of the waiting jobs in one run. */
    async take(countMax: number): Promise<TakenJob[]> {
      try {
        const { takeJobs } = await scripts;
        const token = randomUUID();
        const found = await takeJobs(connection, { ...taking, token, lockMs, countMax });
        return hold(found.map((fields) => toTaken(fields, token)));
      } catch (error) {
        onError(error as Error);
        return [];
      }
    },
    /** Blocks in Redis until a job is there and takes it; empty after some seconds without one. */
    async wait(): Promise<TakenJob[]> {
      try {
        const token = randomUUID();
        const job = await worker.getNextJob(token, { block: true });
        if (!job) return [];
        const { id = '', data, timestamp: queuedAtMs, opts } = job;
        return hold([{ id, token, data, queuedAtMs, traces: opts.telemetry?.metadata }]);
      } catch (error) {
        onError(error as Error);
        await pause(AFTER_ERROR_MS);
        return [];
      }
    },
    async complete(jobs: readonly TakenJob[]): Promise<void> {
      for (const job of jobs) inHand.delete(job);
      if (jobs.length === 0) return;
      try {
        const { completeJobs } = await scripts;
        const codes = await completeJobs(connection, { ...finishing, jobs });
        for (const [i, code] of codes.entries()) {
          const { id: jobId } = jobs[i] as TakenJob;
          if (code < 0) onError(worker.getBackend().finishedErrors({ code, jobId, command: 'complete' }));
        }
      } catch (error) {
        onError(error as Error);
      }
    },
    /** Back to the queue, to be tried again. */
    async giveBack(jobs: readonly TakenJob[], error: Error): Promise<void> {
      for (const job of jobs) inHand.delete(job);
      const failed = jobs.map(async ({ id, token }) => {
        const job = await Job.fromId(worker, id);
        await job?.moveToFailed(error, token, false);
      });
      for (const outcome of await Promise.allSettled(failed))
        if (outcome.status === 'rejected') onError(outcome.reason);
    },
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

async function loadScripts(worker: Worker) {
  const [taking, finishing] = await Promise.all(
    ['moveToActive', 'moveToFinished'].map((name) => bullmqScript(worker, name)),
  );
  if (taking?.numberOfKeys !== TAKE_KEYS.length || finishing?.numberOfKeys !== FINISH_KEYS.length)
    throw new Error("BullMQ's scripts have other keys than this release knows");
  return { takeJobs: createTakeJobs(taking.lua), completeJobs: createCompleteJobs(finishing.lua) };
}

function toTaken({ id, data, queuedAtMs, options }: TakenFields, token: string): TakenJob {
  // Most jobs carry none, and reading the options of every job costs more than looking for the word.
  const traces = options.includes('"tm"') ? JSON.parse(options).tm : undefined;
  return { id, token, data: JSON.parse(data), queuedAtMs, traces };
}

const idOf = ({ id }: TakenJob): string => id;
const tokenOf = ({ token }: TakenJob): string => token;
