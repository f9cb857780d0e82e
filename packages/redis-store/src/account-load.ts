import addLoadLua from '../lua/add-load.lua';
import type { RedisConnection } from './connect.js';
import { loadKeys } from './keys.js';
import { loadScript } from './script.js';

/** The checks and requests of an account; a batch counts its checks. */
export interface AccountLoad {
  readonly accountId: string;
  readonly answered: number;
  readonly refused: number;
}

const runAdd = loadScript(addLoadLua);

/** Of a minute. 1,000 accounts in two sets take some 200 KB. */
const KEPT_MAX = 1_000;
const WINDOW_MINUTES = 5;
/** The window with the minute that is running, and one for clocks that differ. */
const FORGET_AFTER_SECONDS = (WINDOW_MINUTES + 2) * 60;
const MINUTE_MS = 60_000;

/** Adds to the load of the running minute. */
export async function addLoad(
  redis: RedisConnection,
  loads: readonly AccountLoad[],
  nowMs = Date.now(),
): Promise<void> {
  const counts = loads.flatMap(({ accountId, answered, refused }) => [accountId, answered, refused]);
  await runAdd(redis, loadKeys(Math.floor(nowMs / MINUTE_MS)), [KEPT_MAX, FORGET_AFTER_SECONDS, ...counts]);
}

/** The accounts with the largest load, refused included, in the last five minutes and the running one. */
export async function topAccounts(
  redis: RedisConnection,
  countMax: number,
  nowMs = Date.now(),
): Promise<AccountLoad[]> {
  const minute = Math.floor(nowMs / MINUTE_MS);
  const minutes = Array.from({ length: WINDOW_MINUTES + 1 }, (_, back) => loadKeys(minute - back));
  const read = (key: string) => redis.zrange(key, '0', '-1', 'WITHSCORES');
  const sets = await Promise.all(minutes.flatMap(([answered, refused]) => [read(answered), read(refused)]));
  const loads = new Map<string, { accountId: string; answered: number; refused: number }>();
  for (const [i, set] of sets.entries()) {
    for (let at = 0; at < set.length; at += 2) {
      const accountId = set[at] as string;
      const load = loads.get(accountId) ?? { accountId, answered: 0, refused: 0 };
      load[i % 2 === 0 ? 'answered' : 'refused'] += Number(set[at + 1]);
      loads.set(accountId, load);
    }
  }
  const total = ({ answered, refused }: AccountLoad) => answered + refused;
  return [...loads.values()].sort((a, b) => total(b) - total(a)).slice(0, countMax);
}
