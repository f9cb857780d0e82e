import endTurnLua from '../lua/end-turn.lua';
import takeTurnLua from '../lua/take-turn.lua';
import type { RedisConnection } from './connect.js';
import { TASKS_KEY } from './keys.js';
import { loadScript } from './script.js';

const runTake = loadScript(takeTurnLua);
const runEnd = loadScript(endTurnLua);

/** The shared state of a scheduled task. */
export interface TaskTurns {
  /** How often a turn was taken, and how long ago the last was by the clock of Redis; null when none ever was. */
  readonly taken: number;
  readonly takenAgoMs: number | null;
  /** The last turn that was done, and how long ago. */
  readonly done: number;
  readonly doneAgoMs: number | null;
}

/** A Redis clock that was set in between makes an age wrong or negative: use it only where nothing better exists. */
export async function readTaskTurns(
  redis: RedisConnection,
  names: readonly string[],
): Promise<Map<string, TaskTurns>> {
  const [[seconds], noted] = await Promise.all([redis.time(), redis.hgetall(TASKS_KEY)]);
  const ago = (at: string | undefined) => (at === undefined ? null : (Number(seconds) - Number(at)) * 1000);
  return new Map(
    names.map((name) => [
      name,
      {
        taken: Number(noted[`${name}:turn`] ?? 0),
        takenAgoMs: ago(noted[`${name}:at`]),
        done: Number(noted[`${name}:done`] ?? 0),
        doneAgoMs: ago(noted[`${name}:done-at`]),
      },
    ]),
  );
}

/** True when the turn after the one that was seen is the caller's. */
export const takeTurn = async (
  redis: RedisConnection,
  name: string,
  seen: number,
  caller: string,
): Promise<boolean> => (await runTake(redis, [TASKS_KEY], [name, String(seen), caller])) === 1;

export const endTurn = async (redis: RedisConnection, name: string, turn: number): Promise<void> => {
  await runEnd(redis, [TASKS_KEY], [name, turn]);
};
