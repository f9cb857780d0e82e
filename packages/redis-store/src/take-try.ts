import { UNMETERED_PER_DAY } from '@verdict/domain/unmetered-per-day.js';
import takeTryLua from '../lua/take-try.lua';
import { accountKey } from './keys.js';
import { loadScript } from './script.js';
import type { AccountStore } from './shards.js';

const run = loadScript(takeTryLua);

export type TryTaken =
  | 'taken'
  | 'absent'
  | { readonly used: number; readonly limit: number; readonly retryAfterSeconds: number };

/** Takes one verdict of the allowance that an account's tries share with its test keys, a day. */
export async function takeTry({ redis, shards }: AccountStore, accountId: string): Promise<TryTaken> {
  const reply = (await run(redis, [accountKey(accountId, shards)], [UNMETERED_PER_DAY])) as number[];
  const [state, used = 0, limit = 0, retryAfterSeconds = 0] = reply;
  if (state === -1) return 'absent';
  return state === 1 ? 'taken' : { used, limit, retryAfterSeconds };
}
