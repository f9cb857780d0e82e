import type { RedisConnection } from './connect.js';
import { identityKey } from './keys.js';

/** Whose key it is. Never changes for the life of a key, so it may be cached for ever. */
export interface KeyIdentity {
  readonly accountId: string;
  readonly keyId: string;
}

export async function readIdentity(redis: RedisConnection, keyHash: string): Promise<KeyIdentity | null> {
  const text = await redis.get(identityKey(keyHash));
  if (!text) return null;
  const [accountId, keyId] = text.split(' ');
  return accountId && keyId ? { accountId, keyId } : null;
}

export async function writeIdentity(
  redis: RedisConnection,
  keyHash: string,
  identity: KeyIdentity,
): Promise<void> {
  await redis.set(identityKey(keyHash), `${identity.accountId} ${identity.keyId}`);
}
