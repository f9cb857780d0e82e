import readCounterLua from '../lua/read-counter.lua';
import repairCounterLua from '../lua/repair-counter.lua';
import { accountKey, usedField } from './keys.js';
import { loadScript } from './script.js';
import type { AccountStore } from './shards.js';

const runRead = loadScript(readCounterLua);
const runRepair = loadScript(repairCounterLua);

const BATCHES_MAX = 5_000;

/** An account's count of one month, and the batches that were queued in its shard at the same instant. */
export interface CounterView {
  /** Null when the month has no count here: nothing yet, or a past month that this Redis never saw. */
  readonly used: number | null;
  /** Null when there are too many to look at. */
  readonly batchIds: readonly string[] | null;
}

/** Null when this Redis does not know the account: it will be projected from Postgres, so there is nothing to compare. */
export async function readCounter(
  { redis, shards }: AccountStore,
  accountId: string,
  month: string,
  queueKeys: readonly string[],
): Promise<CounterView | null> {
  const keys = [accountKey(accountId, shards), ...queueKeys];
  const reply = (await runRead(redis, keys, [usedField(month), BATCHES_MAX])) as [
    string,
    number,
    ...string[],
  ];
  const [used, complete, ...batchIds] = reply;
  if (used === undefined) return null;
  return { used: used === '' ? null : Number(used), batchIds: complete === 1 ? batchIds : null };
}

/** False when the counter moved meanwhile: look again. */
export async function repairCounter(
  { redis, shards }: AccountStore,
  accountId: string,
  month: string,
  seen: CounterView,
  right: number,
): Promise<boolean> {
  const args = [usedField(month), seen.used ?? '', right];
  return (await runRepair(redis, [accountKey(accountId, shards)], args)) === 1;
}
