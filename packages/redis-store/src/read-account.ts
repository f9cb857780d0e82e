import { accountKey } from './keys.js';
import type { AccountStore } from './shards.js';

/** What Redis holds about an account, read without spending anything; null when it lost the account. */
export interface ProjectedAccount {
  readonly version: number;
  readonly listsVersion: number;
  readonly limit: number;
  readonly rate: number;
  /** Checks admitted in the month that was asked for. */
  readonly used: number;
}

export async function readAccount(
  { redis, shards }: AccountStore,
  accountId: string,
  month: string,
): Promise<ProjectedAccount | null> {
  const reply = await redis.hmget(accountKey(accountId, shards), 'v', 'lv', 'limit', 'rate', `u:${month}`);
  const [version, listsVersion, limit, rate, used] = reply.map((text) => Number(text ?? 0));
  if (!version) return null;
  return { version, listsVersion: listsVersion ?? 0, limit: limit ?? 0, rate: rate ?? 0, used: used ?? 0 };
}
