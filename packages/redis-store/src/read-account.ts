import { accountKey } from './keys.js';
import type { AccountStore } from './shards.js';

/** The account in Redis, read without spending anything; null when Redis has lost it. */
export interface ProjectedAccount {
  readonly version: number;
  readonly listsVersion: number;
  readonly limit: number;
  readonly rate: number;
  readonly remembered: number;
  readonly unmetered: number;
  readonly tracked: number;
  /** As nextPlanText wrote it. */
  readonly next: string;
  /** Checks admitted in the month that was asked for. */
  readonly used: number;
}

export async function readAccount(
  { redis, shards }: AccountStore,
  accountId: string,
  month: string,
): Promise<ProjectedAccount | null> {
  const reply = await redis.hmget(
    accountKey(accountId, shards),
    'v',
    'lv',
    'limit',
    'rate',
    'remembered',
    'unmetered',
    'tracked',
    `u:${month}`,
    'next',
  );
  const next = reply.pop() ?? '';
  const [
    version = 0,
    listsVersion = 0,
    limit = 0,
    rate = 0,
    remembered = 0,
    unmetered = 0,
    tracked = 0,
    used = 0,
  ] = reply.map((text) => Number(text ?? 0));
  return version === 0
    ? null
    : { version, listsVersion, limit, rate, remembered, unmetered, tracked, used, next };
}
