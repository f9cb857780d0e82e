import forgetIdleLua from '../lua/forget-idle.lua';
import { accountKey, listsKey, policiesKey } from './keys.js';
import { knownAccounts } from './known-accounts.js';
import { loadScript } from './script.js';
import type { AccountStore } from './shards.js';

const run = loadScript(forgetIdleLua);

const IDLE_SECONDS = 24 * 60 * 60;

/** Forgets the projections of accounts without a check for a day; the next check brings one back. Returns how many went. */
export async function forgetIdle(
  { redis, shards }: AccountStore,
  idleSeconds = IDLE_SECONDS,
): Promise<number> {
  let forgotten = 0;
  for await (const accountId of knownAccounts(redis)) {
    const keys = [accountKey, listsKey, policiesKey].map((keyOf) => keyOf(accountId, shards));
    forgotten += Number(await run(redis, keys, [idleSeconds]));
  }
  return forgotten;
}
