import endTurnLua from '../lua/end-turn.lua';
import takeTurnLua from '../lua/take-turn.lua';
import type { RedisConnection } from './connect.js';
import { DUTIES_KEY } from './keys.js';
import { loadScript } from './script.js';

const runTake = loadScript(takeTurnLua);
const runEnd = loadScript(endTurnLua);

/** What all workers know of a duty together. */
export interface DutyTurns {
  /** How often a turn was taken, and how long ago the last was by the clock of Redis; null when none ever was. */
  readonly taken: number;
  readonly takenAgoMs: number | null;
  /** The last turn that was done, and how long ago. */
  readonly done: number;
  readonly doneAgoMs: number | null;
}

/** A clock of Redis that was set in between makes an age wrong, or negative: believe it only where nothing is better. */
export async function readDutyTurns(
  redis: RedisConnection,
  names: readonly string[],
): Promise<Map<string, DutyTurns>> {
  const [[seconds], noted] = await Promise.all([redis.time(), redis.hgetall(DUTIES_KEY)]);
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
): Promise<boolean> => (await runTake(redis, [DUTIES_KEY], [name, String(seen), caller])) === 1;

export const endTurn = async (redis: RedisConnection, name: string, turn: number): Promise<void> => {
  await runEnd(redis, [DUTIES_KEY], [name, turn]);
};
