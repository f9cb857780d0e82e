import { setTimeout as delay } from 'node:timers/promises';
import { readBacklog } from '@verdict/queues/backlog.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { cpuSeconds } from './process-usage.mjs';
import { runWrk } from './wrk.mjs';

/**
 * Compares a check in a batch with a single check, each until it is in Postgres, because a queued check has not been
 * paid for. Checks a second include the draining.
 * @param {{ pids: Record<string, number>, redisUrl: string, loads: Record<string, { checks: number, load: object }> }} options
 */
export async function measurePersisted({ pids, redisUrl, loads }) {
  const redis = connectForQueues({ url: redisUrl }, 'bench');
  const isDrained = async () => (await readBacklog(redis, 1)).oldestMs === null;
  const drained = async () => {
    while (!(await isDrained())) await delay(20);
  };
  const samples = {};
  try {
    for (const [name, { checks, load }] of Object.entries(loads)) {
      await drained();
      const before = cpuSeconds(pids);
      const began = performance.now();
      const { requests, failures } = await runWrk(load);
      await drained();
      const seconds = (performance.now() - began) / 1_000;
      const after = cpuSeconds(pids);
      const answered = (requests - failures) * checks;
      samples[name] = {
        perSecond: answered / seconds,
        failures,
        cpuMicros: Object.fromEntries(
          Object.keys(pids).map((pid) => [pid, ((after[pid] - before[pid]) * 1e6) / Math.max(1, answered)]),
        ),
      };
    }
  } finally {
    redis.disconnect();
  }
  return samples;
}
