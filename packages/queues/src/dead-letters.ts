import { CHECK_LOG_JOB } from '@verdict/contracts/check-log-job.js';
import { type ConnectionOptions, Queue } from 'bullmq';
import { CHECK_LOG_JOB_OPTIONS } from './check-log-job-options.js';
import { CHECK_LOG_QUEUE, DEAD_LETTER_PREFIX, DEAD_LETTER_QUEUE, shardPrefix } from './queue-names.js';

/** A record, or a whole job of an unknown version, that cannot be persisted as it is. */
export interface DeadLetter {
  /** The same when the job that held it is delivered again, another one when an operator retried it. */
  readonly id: string;
  readonly reason: string;
  /** Checks that it holds, as far as they can be told: they still count as on their way. */
  readonly logIds: readonly string[];
  readonly queuedAtMs: number;
  /** Exactly what was queued; a retry queues it again. */
  readonly payload: unknown;
}

export interface DeadLetters {
  add(letter: DeadLetter): Promise<void>;
  list(): Promise<DeadLetter[]>;
  count(): Promise<number>;
  /** Queues the payload again; false when there is no such letter. */
  retry(id: string): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Options {
  readonly connection: ConnectionOptions;
  readonly onError: (error: Error) => void;
}

type Stored = Omit<DeadLetter, 'id'>;

/** A queue that nobody consumes: dead letters wait there, payload and all, until an operator decides. */
export function createDeadLetters({ connection, onError }: Options): DeadLetters {
  const common = { connection, skipVersionCheck: true, streams: { events: { maxLen: 100 } } };
  const queue = new Queue<Stored>(DEAD_LETTER_QUEUE, { ...common, prefix: DEAD_LETTER_PREFIX });
  const checkLogs = new Queue(CHECK_LOG_QUEUE, { ...common, prefix: shardPrefix(0) });
  for (const each of [queue, checkLogs]) each.on('error', onError);

  return {
    async add({ id, ...stored }) {
      await queue.add('dead-letter', stored, { jobId: id });
    },
    async list() {
      const jobs = await queue.getJobs(['wait'], 0, -1, true);
      return jobs.map((job) => ({ id: String(job.id), ...job.data }));
    },
    count: () => queue.getWaitingCount(),
    async retry(id) {
      const job = await queue.getJob(id);
      if (!job) return false;
      // Queued first, removed after: dying in between delivers it twice, and the second one finds its row. The old
      // timestamp tells the sweeper that a check this old is still on its way.
      const { payload, queuedAtMs } = job.data;
      await checkLogs.add(CHECK_LOG_JOB, payload, { ...CHECK_LOG_JOB_OPTIONS, timestamp: queuedAtMs });
      await job.remove();
      return true;
    },
    async remove(id) {
      const job = await queue.getJob(id);
      await job?.remove();
      return job !== undefined;
    },
    async close() {
      await Promise.all([queue.close(), checkLogs.close()]);
    },
  };
}
