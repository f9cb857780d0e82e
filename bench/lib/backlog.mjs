import { setTimeout as delay } from 'node:timers/promises';
import { readBacklog } from '@verdict/queues/backlog.js';
import { createCheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { noteKey } from '@verdict/redis-store/keys.js';
import { createCheckLogs, toBatch } from '../worker/check-logs.mjs';

/** As many as a gateway with 64 connections sends in one step. */
const JOB_CHECKS = 24;

/**
 * Checks that wait for the worker, so that a floor is measured beside what Verdict always has beside it: a worker and
 * Postgres that persist.
 * @param {{ redisUrl: string, worker: number }} options
 */
export async function openBacklog({ redisUrl, worker }) {
  const redis = connectForQueues({ url: redisUrl }, 'bench-backlog');
  const inserts = await createCheckLogInserts({ connection: redis, shards: 1, onError: console.error });
  const isDrained = async () => (await readBacklog(redis, 1)).oldestMs === null;

  async function fill(checks) {
    const logs = createCheckLogs(checks);
    for (let at = 0; at < logs.length; at += JOB_CHECKS) {
      const { id, job, note } = toBatch(logs.slice(at, at + JOB_CHECKS));
      const batch = { shard: 0, batchId: id, data: job, queuedAtMs: Date.now(), traces: undefined };
      const { keys, args } = inserts.prepare(batch);
      await redis
        .multi()
        .set(noteKey(0, id), JSON.stringify(note))
        .eval(inserts.script, keys.length, ...keys, ...args)
        .exec();
    }
  }

  return {
    /** Runs a measurement while the worker persists; says how many jobs it persisted meanwhile, and whether any were left. */
    async beside(checks, run) {
      while (!(await isDrained())) await delay(20);
      process.kill(worker, 'SIGSTOP');
      try {
        await fill(checks);
      } finally {
        process.kill(worker, 'SIGCONT');
      }
      const outcome = await run();
      const { waiting, active } = await readBacklog(redis, 1);
      const left = waiting + active;
      return { ...outcome, drainedJobs: Math.ceil(checks / JOB_CHECKS) - left, leftJobs: left };
    },
    async close() {
      await inserts.close();
      redis.disconnect();
    },
  };
}
