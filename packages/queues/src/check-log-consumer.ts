import { setTimeout as pause } from 'node:timers/promises';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { openShardJobs, type ShardJobs, type TakenJob } from './shard-jobs.js';

/** A delivered job: its data comes from another process and must be validated. */
export interface DeliveredJob {
  /** The same when the job is delivered again. */
  readonly batchId: string;
  readonly shard: number;
  readonly data: unknown;
  readonly queuedAtMs: number;
  /** The traces that its checks belong to, when the producer records any. */
  readonly traces: string | undefined;
}

export type CheckLogConsumer = ReturnType<typeof createCheckLogConsumer>;

interface ConsumerOptions {
  readonly connection: RedisConnection;
  readonly shards: number;
  /** How much a job holds, and how much is enough for one round. */
  readonly sizeOf: (data: unknown) => number;
  readonly roundSize: number;
  /** All jobs of a round; they are finished or returned to the queue together. */
  readonly handle: (jobs: readonly DeliveredJob[]) => Promise<void>;
  /** How long the jobs of a worker that was killed wait for another; BullMQ's default is half a minute. */
  readonly lockMs?: number;
  readonly onError: (error: Error) => void;
  /** Jobs came back to the queue, to be tried again. */
  readonly onRetry: (batchIds: readonly string[], error: Error) => void;
}

interface Taken {
  readonly from: ShardJobs;
  readonly shard: number;
  readonly jobs: TakenJob[];
}

/** Rounds begin so far apart at least: a worker woken by every single job costs the machine more than the check did. */
const ROUND_MS = 100;
/** Two rounds keep Postgres busy while Node prepares the next; more would only queue for the same rows. */
const ROUNDS_IN_HAND = 2;
const TAKE_MAX = 64;
/** How long a round waits for a shard that does not answer: the jobs of all others wait with it. */
const SHARD_PATIENCE_MS = 250;

/**
 * Takes check logs from every shard in rounds: all that gathered since the last one, up to a statement's worth. While
 * more than that waits the next round begins at once; where nothing waits, the worker blocks in Redis until something does.
 */
export function createCheckLogConsumer(options: ConsumerOptions) {
  const { connection, sizeOf, roundSize, handle, lockMs = 10_000, onError, onRetry } = options;
  const shards = Array.from({ length: options.shards }, (_, shard) =>
    openShardJobs({ connection, shard, lockMs, onError }),
  );
  const closing = new AbortController();
  const inHand = new Set<Promise<void>>();
  let finished = 0;
  /** The average size of recent jobs; the very first is taken alone. */
  let jobSize = roundSize;

  /** Shards that were asked and have not answered yet; what they give in the end belongs to the round after that. */
  const awaited = new Map<ShardJobs, Promise<void>>();
  const late = new Map<ShardJobs, TakenJob[]>();

  async function takeFrom(from: readonly ShardJobs[], countMax: number): Promise<TakenJob[][]> {
    const found = from.map((): TakenJob[] | null => null);
    const asked = from.map(async (shard, index) => {
      const jobs = await shard.take(countMax);
      if (awaited.delete(shard)) late.set(shard, jobs);
      else found[index] = jobs;
    });
    const patience = new AbortController();
    const tired = pause(SHARD_PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([Promise.all(asked), tired]);
    patience.abort();
    for (const [index, shard] of from.entries()) {
      if (found[index] === null) awaited.set(shard, asked[index] as Promise<void>);
    }
    return found.map((jobs) => jobs ?? []);
  }

  /** Blocks until a shard has a job; one that does not answer is waited for beside the others. */
  async function waitForJobs(): Promise<void> {
    while (!closing.signal.aborted && late.size === 0) {
      for (const shard of shards.filter((one) => !awaited.has(one))) {
        const waiting = shard.wait().then((jobs) => {
          awaited.delete(shard);
          if (jobs.length > 0) late.set(shard, jobs);
        });
        awaited.set(shard, waiting);
      }
      await Promise.race(awaited.values());
    }
  }

  function takeLate(): Taken[] {
    const taken = shards.map((from, shard): Taken => ({ from, shard, jobs: late.get(from) ?? [] }));
    late.clear();
    return taken;
  }

  async function takeRound(): Promise<{ taken: Taken[]; full: boolean }> {
    const taken = takeLate();
    let open = taken.filter(({ from }) => !awaited.has(from));
    let size = taken.reduce((total, { jobs }) => jobs.reduce((sum, job) => sum + sizeOf(job.data), total), 0);
    let count = taken.reduce((total, { jobs }) => total + jobs.length, 0);
    while (open.length > 0 && size < roundSize) {
      const enough = Math.ceil((roundSize - size) / (jobSize * open.length));
      const asked = Math.min(enough, TAKE_MAX);
      const found = await takeFrom(
        open.map(({ from }) => from),
        asked,
      );
      open = open.filter(({ jobs }, index) => {
        const more = found[index] ?? [];
        jobs.push(...more);
        for (const job of more) size += sizeOf(job.data);
        count += more.length;
        return more.length === asked;
      });
      if (count > 0) jobSize = Math.max(1, size / count);
    }
    return { taken: taken.filter(({ jobs }) => jobs.length > 0), full: open.length > 0 };
  }

  async function finish(taken: readonly Taken[]): Promise<void> {
    const delivered = taken.flatMap(({ shard, jobs }) =>
      jobs.map(({ id: batchId, data, queuedAtMs, traces }) => ({ batchId, shard, data, queuedAtMs, traces })),
    );
    try {
      await handle(delivered);
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      await Promise.all(taken.map(({ from, jobs }) => from.giveBack(jobs, error)));
      onRetry(
        delivered.map(({ batchId }) => batchId),
        error,
      );
      return;
    }
    await Promise.all(taken.map(({ from, jobs }) => from.complete(jobs)));
    finished += delivered.length;
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const beganAt = performance.now();
      const { taken, full } = await takeRound();
      if (taken.length > 0) {
        const round: Promise<void> = finish(taken)
          .catch(onError)
          .finally(() => inHand.delete(round));
        inHand.add(round);
        if (inHand.size >= ROUNDS_IN_HAND) await Promise.race(inHand);
      }
      if (taken.length === 0) await waitForJobs();
      const rest = full ? 0 : ROUND_MS - (performance.now() - beganAt);
      if (rest > 0) await pause(rest, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    await Promise.all([...inHand, ...awaited.values()]);
    const rest = takeLate().filter(({ jobs }) => jobs.length > 0);
    if (rest.length > 0) await finish(rest).catch(onError);
  }
  const running = run();

  return {
    /** Jobs that were finished since the start: a watchdog's pulse. */
    finished: () => finished,
    /** Takes no new jobs and waits for the running ones. */
    async close() {
      closing.abort();
      await Promise.all(shards.map((shard) => shard.stop()));
      await running;
      await Promise.all(shards.map((shard) => shard.close()));
    },
  };
}
