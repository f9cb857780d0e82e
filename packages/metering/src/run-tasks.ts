import { randomUUID } from 'node:crypto';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { endTurn, readTaskTurns, takeTurn } from '@verdict/redis-store/task-turns.js';
import { every } from '@verdict/service-kit/every.js';
import { createAgeOfChange } from './age-of-change.js';

/** One recurring task. However many workers run, each turn of it is taken by one of them. */
export interface ScheduledTask {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

interface Options {
  readonly redis: RedisConnection;
  readonly tasks: readonly ScheduledTask[];
  readonly onFailed: (task: string, error: unknown) => void;
  /** After every look, for each task: the time since it was last done. */
  readonly onAge: (task: string, ageMs: number) => void;
  /** The turns could not be looked at. */
  readonly onError: (error: unknown) => void;
  readonly lookEveryMs?: number;
}

const LOOK_EVERY_MS = 5_000;
const TRY_AGAIN_MS = 60_000;

/**
 * Runs scheduled tasks. Whether one is due depends on monotonic time since this worker last saw it done by any worker,
 * so no clock change can delay a task; tasks do not wait for each other.
 */
export function runTasks(options: Options) {
  const { redis, onFailed, onAge, onError, lookEveryMs = LOOK_EVERY_MS } = options;
  const caller = randomUUID();
  const tasks = options.tasks.map((task) => ({
    ...task,
    // Never taken, or taken in the future by a clock that was set back since: it is time.
    takenAge: createAgeOfChange((notedMs) => (notedMs === null || notedMs < 0 ? task.everyMs : notedMs)),
    doneAge: createAgeOfChange((notedMs) => Math.max(0, notedMs ?? 0)),
    tryAgainAtMs: Number.POSITIVE_INFINITY,
    running: null as Promise<void> | null,
  }));
  const names = tasks.map(({ name }) => name);

  async function look(): Promise<void> {
    const turns = await readTaskTurns(redis, names);
    const nowMs = performance.now();
    for (const task of tasks) {
      const seen = turns.get(task.name);
      if (!seen) continue;
      onAge(task.name, task.doneAge(seen.done, seen.doneAgoMs, nowMs));
      const isDue = task.takenAge(seen.taken, seen.takenAgoMs, nowMs) >= task.everyMs;
      if (task.running || !(isDue || nowMs >= task.tryAgainAtMs)) continue;
      task.running = turn(task, seen.taken).finally(() => {
        task.running = null;
      });
    }
  }

  async function turn(task: (typeof tasks)[number], seen: number): Promise<void> {
    try {
      if (!(await takeTurn(redis, task.name, seen, caller))) return;
      task.tryAgainAtMs = Number.POSITIVE_INFINITY;
      await task.run();
      await endTurn(redis, task.name, seen + 1);
    } catch (error) {
      // The next turn may be a day away.
      task.tryAgainAtMs = performance.now() + Math.min(TRY_AGAIN_MS, task.everyMs);
      onFailed(task.name, error);
    }
  }

  const stopLooking = every(lookEveryMs, look, onError);
  return {
    /** Starts no more turns and waits for the running ones. */
    async close() {
      await stopLooking();
      await Promise.all(tasks.map(({ running }) => running));
    },
  };
}
