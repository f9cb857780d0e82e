import { policiesKey } from './keys.js';
import type { AccountStore } from './shards.js';

/** The rules of one version as JSON; null when Redis has lost them. */
export const readPolicyRules = (
  { redis, shards }: AccountStore,
  accountId: string,
  version: number,
): Promise<string | null> => redis.hget(policiesKey(accountId, shards), String(version));

/** Brings back a version that Redis had lost. The next projection of the account makes room again. */
export async function writePolicyRules(
  { redis, shards }: AccountStore,
  accountId: string,
  version: number,
  rules: unknown,
): Promise<void> {
  await redis.hset(policiesKey(accountId, shards), String(version), JSON.stringify(rules));
}
