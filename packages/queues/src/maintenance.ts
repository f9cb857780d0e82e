import { type ConnectionOptions, Queue, Worker } from 'bullmq';
import { MAINTENANCE_PREFIX, MAINTENANCE_QUEUE } from './queue-names.js';

/** One recurring duty. However many workers run, each turn of it is taken by one of them. */
export interface Duty {
  readonly name: string;
  readonly when: { readonly everyMs: number } | { readonly cron: string };
  run(): Promise<void>;
}

export interface Maintenance {
  close(): Promise<void>;
}

interface Options {
  readonly connection: ConnectionOptions;
  readonly duties: readonly Duty[];
  readonly onError: (error: Error) => void;
  readonly onFailed: (duty: string | undefined, error: Error) => void;
}

const RESCHEDULE_EVERY_MS = 10_000;

/** Keeps the schedules in Redis, all in UTC. A turn that fails is not repeated: the next one comes anyway. */
export async function startMaintenance(options: Options): Promise<Maintenance> {
  const { connection, duties, onError, onFailed } = options;
  const common = { connection, prefix: MAINTENANCE_PREFIX, skipVersionCheck: true };
  const queue = new Queue(MAINTENANCE_QUEUE, { ...common, streams: { events: { maxLen: 100 } } });
  queue.on('error', onError);
  const scheduleMissing = async () => {
    for (const { name, when } of duties) {
      if (await queue.getJobScheduler(name)) continue;
      await queue.upsertJobScheduler(name, repeatOf(when), {
        name,
        opts: { removeOnComplete: true, removeOnFail: { count: 20 } },
      });
    }
  };
  for (const { name, when } of duties) {
    // A schedule that was changed in the configuration replaces the one that Redis remembers.
    const present = await queue.getJobScheduler(name);
    if (present && !isSame(present, when)) await queue.removeJobScheduler(name);
  }
  await scheduleMissing();
  // A Redis that was emptied has forgotten them; nobody would sweep or close until the next restart.
  const timer = setInterval(() => void scheduleMissing().catch(onError), RESCHEDULE_EVERY_MS);
  const known = new Map(duties.map((duty) => [duty.name, duty]));

  const worker = new Worker(MAINTENANCE_QUEUE, async (job) => known.get(job.name)?.run(), {
    ...common,
    concurrency: 1,
    lockDuration: 30_000,
    stalledInterval: 15_000,
    maxStalledCount: 1_000_000,
    drainDelay: 2,
  });
  worker.on('error', onError);
  worker.on('failed', (job, error) => onFailed(job?.name, error));

  return {
    async close() {
      clearInterval(timer);
      await worker.close();
      await queue.close();
    },
  };
}

const repeatOf = (when: Duty['when']) =>
  'cron' in when ? { pattern: when.cron, tz: 'UTC' } : { every: when.everyMs };

function isSame(present: { every?: number; pattern?: string }, when: Duty['when']): boolean {
  return 'cron' in when ? present.pattern === when.cron : Number(present.every) === when.everyMs;
}
