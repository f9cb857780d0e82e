import completeJobsLua from '../lua/complete-jobs.lua';
import takeJobsLua from '../lua/take-jobs.lua';
import type { RedisConnection } from './connect.js';
import { loadScript } from './script.js';

/** Where a queue keeps its jobs: the keys of one of BullMQ's scripts, and the prefix of all. */
interface Place {
  readonly keys: readonly string[];
  readonly prefix: string;
}

export interface TakenFields {
  readonly id: string;
  readonly data: string;
  readonly queuedAtMs: number;
  readonly options: string;
}

interface Take extends Place {
  readonly token: string;
  readonly lockMs: number;
  readonly countMax: number;
}

/** Takes many jobs in one run of BullMQ's script for one. */
export function createTakeJobs(takeLua: string) {
  const run = loadScript(`local function take(KEYS, ARGV)\n${takeLua}\nend\n${takeJobsLua}`);
  return async (redis: RedisConnection, take: Take): Promise<TakenFields[]> => {
    const { keys, prefix, token, lockMs, countMax } = take;
    const found = (await run(redis, keys, [prefix, Date.now(), token, lockMs, countMax])) as string[];
    const jobs: TakenFields[] = [];
    for (let at = 0; at < found.length; at += 4) {
      const [id, data, time, options] = found.slice(at, at + 4) as [string, string, string, string];
      jobs.push({ id, data, queuedAtMs: Number(time), options });
    }
    return jobs;
  };
}

interface Completion extends Place {
  readonly jobs: readonly { readonly id: string; readonly token: string }[];
}

/** Completes and removes many jobs in one run of BullMQ's script for one. Returns its code for each. */
export function createCompleteJobs(finishLua: string) {
  const run = loadScript(`local function finish(KEYS, ARGV)\n${finishLua}\nend\n${completeJobsLua}`);
  return async (redis: RedisConnection, { keys, prefix, jobs }: Completion): Promise<number[]> => {
    const named = jobs.flatMap(({ id, token }) => [id, token]);
    return (await run(redis, keys, [prefix, Date.now(), ...named])) as number[];
  };
}
