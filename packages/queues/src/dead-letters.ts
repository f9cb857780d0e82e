import { createHash, randomUUID } from 'node:crypto';
import { CHECK_LOG_JOB } from '@verdict/contracts/check-log-job.js';
import { type ConnectionOptions, Queue } from 'bullmq';
import { CHECK_LOG_JOB_OPTIONS } from './check-log-job-options.js';
import {
  CHECK_LOG_QUEUE,
  DEAD_LETTER_PREFIX,
  DEAD_LETTER_QUEUE,
  RETRIED_LETTER,
  shardPrefix,
} from './queue-names.js';

/** A check, or a whole job of an unknown version, that cannot be persisted as it is. */
export interface DeadLetter {
  readonly id: string;
  readonly reason: string;
  /** Its checks, as far as they are known: they still count as queued. */
  readonly logIds: readonly string[];
  readonly queuedAtMs: number;
  /** Where it was queued, and where a retry queues it again. */
  readonly shard: number;
  /** The queued job, with the note of its batch if readable; a retry queues it again. */
  readonly payload: unknown;
}

export type DeadLetters = ReturnType<typeof createDeadLetters>;

interface Options {
  readonly connection: ConnectionOptions;
  readonly onError: (error: Error) => void;
}

type Stored = Omit<DeadLetter, 'id'>;

const CONTENT_CHARS = 16;

/**
 * The same when the job that held it is delivered again, another one when an operator retried it. The content is part
 * of it: a queue that lost its last writes in a failover must not give two letters one name.
 */
export function deadLetterId(batchId: string, payload: unknown): string {
  const content = createHash('sha256')
    .update(JSON.stringify(payload) ?? '')
    .digest('hex');
  return `${batchId}-${content.slice(0, CONTENT_CHARS)}`;
}

/** A queue without a consumer: dead letters wait there with their payload until an operator decides. */
export function createDeadLetters({ connection, onError }: Options) {
  const common = { connection, skipVersionCheck: true, streams: { events: { maxLen: 100 } } };
  const opened = new Set<Queue>();
  const open = <T>(name: string, prefix: string): Queue<T> => {
    const queue = new Queue<T>(name, { ...common, prefix });
    queue.on('error', onError);
    opened.add(queue);
    return queue;
  };
  const queue = open<Stored>(DEAD_LETTER_QUEUE, DEAD_LETTER_PREFIX);

  return {
    async add({ id, ...stored }: DeadLetter) {
      await queue.add('dead-letter', stored, { jobId: id });
    },
    async list() {
      const jobs = await queue.getJobs(['wait'], 0, -1, true);
      return jobs.map((job) => ({ id: String(job.id), ...job.data }));
    },
    count: () => queue.getWaitingCount(),
    /** Queues the payload again; false when there is no such letter. */
    async retry(id: string) {
      const job = await queue.getJob(id);
      if (!job) return false;
      // Queued first, removed after: dying in between delivers it twice, and the second one finds its row. The old
      // timestamp shows the closing of a month that a check this old is still queued.
      const { payload, queuedAtMs, shard = 0 } = job.data;
      const target = open(CHECK_LOG_QUEUE, shardPrefix(shard));
      const options = {
        ...CHECK_LOG_JOB_OPTIONS,
        timestamp: queuedAtMs,
        jobId: `${RETRIED_LETTER}${randomUUID()}`,
      };
      await target.add(CHECK_LOG_JOB, payload, options);
      await job.remove();
      return true;
    },
    async remove(id: string) {
      const job = await queue.getJob(id);
      await job?.remove();
      return job !== undefined;
    },
    async close() {
      await Promise.all([...opened].map((each) => each.close()));
    },
  };
}
