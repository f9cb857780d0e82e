import { randomUUID } from 'node:crypto';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { endTurn, readDutyTurns, takeTurn } from '@verdict/redis-store/duty-turns.js';
import { every } from '@verdict/service-kit/every.js';
import { createAgeOfChange } from './age-of-change.js';

/** One recurring duty. However many workers run, each turn of it is taken by one of them. */
export interface Duty {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

export interface RunningDuties {
  /** Begins no more turns and waits for those in hand. */
  close(): Promise<void>;
}

interface Options {
  readonly redis: RedisConnection;
  readonly duties: readonly Duty[];
  readonly onFailed: (duty: string, error: unknown) => void;
  /** After every look, for each duty: how long ago somebody last did it. */
  readonly onAge: (duty: string, ageMs: number) => void;
  /** The turns could not be looked at. */
  readonly onError: (error: unknown) => void;
  readonly lookEveryMs?: number;
}

const LOOK_EVERY_MS = 5_000;
const TRY_AGAIN_MS = 60_000;

/**
 * Does what is to be done from time to time. Whether it is time is asked of a clock that nobody can set: a worker counts
 * from when it last saw a duty's turn taken, by itself or by another, so neither its own clock nor that of Redis, set
 * forward or back, can put off a turn. A turn too early harms nobody; one that is put off for a day does. Duties do not
 * wait for each other, so one that hangs delays only itself.
 */
export function runDuties(options: Options): RunningDuties {
  const { redis, onFailed, onAge, onError, lookEveryMs = LOOK_EVERY_MS } = options;
  const caller = randomUUID();
  const duties = options.duties.map((duty) => ({
    ...duty,
    // Never taken, or taken in the future by a clock that was set back since: it is time.
    takenAge: createAgeOfChange((notedMs) => (notedMs === null || notedMs < 0 ? duty.everyMs : notedMs)),
    doneAge: createAgeOfChange((notedMs) => Math.max(0, notedMs ?? 0)),
    tryAgainAtMs: Number.POSITIVE_INFINITY,
    running: null as Promise<void> | null,
  }));
  const names = duties.map(({ name }) => name);

  async function look(): Promise<void> {
    const turns = await readDutyTurns(redis, names);
    const nowMs = performance.now();
    for (const duty of duties) {
      const seen = turns.get(duty.name);
      if (!seen) continue;
      onAge(duty.name, duty.doneAge(seen.done, seen.doneAgoMs, nowMs));
      const isDue = duty.takenAge(seen.taken, seen.takenAgoMs, nowMs) >= duty.everyMs;
      if (duty.running || !(isDue || nowMs >= duty.tryAgainAtMs)) continue;
      duty.running = turn(duty, seen.taken).finally(() => {
        duty.running = null;
      });
    }
  }

  async function turn(duty: (typeof duties)[number], seen: number): Promise<void> {
    try {
      if (!(await takeTurn(redis, duty.name, seen, caller))) return;
      duty.tryAgainAtMs = Number.POSITIVE_INFINITY;
      await duty.run();
      await endTurn(redis, duty.name, seen + 1);
    } catch (error) {
      // The next turn may be a day away.
      duty.tryAgainAtMs = performance.now() + Math.min(TRY_AGAIN_MS, duty.everyMs);
      onFailed(duty.name, error);
    }
  }

  const stopLooking = every(lookEveryMs, look, onError);
  return {
    async close() {
      await stopLooking();
      await Promise.all(duties.map(({ running }) => running));
    },
  };
}
