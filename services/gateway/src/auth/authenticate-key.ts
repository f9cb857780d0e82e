import { hashApiKey, isWellFormedApiKey } from '@verdict/domain/api-key.js';
import type { Caller } from '@verdict/redis-store/admit.js';
import { credentialOfHash } from '@verdict/redis-store/keys.js';
import { apiKeyInvalid, unavailable } from '@verdict/service-kit/errors.js';
import type { IdentityCache } from './identity-cache.js';

/** Who shows this API key. A mistyped one is refused without any I/O; whether it is still active, admission decides. */
export function authenticateKey(identities: IdentityCache, key: string): Caller | Promise<Caller> {
  const keyHash = hashApiKey(key);
  const known = identities.known(keyHash);
  if (known) return { ...known, credential: credentialOfHash(keyHash) };
  if (!isWellFormedApiKey(key)) throw apiKeyInvalid();
  return findCaller(identities, keyHash);
}

async function findCaller(identities: IdentityCache, keyHash: string): Promise<Caller> {
  const identity = await identities.find(keyHash).catch((error) => {
    throw unavailable('identity', error);
  });
  if (!identity) throw apiKeyInvalid();
  return { ...identity, credential: credentialOfHash(keyHash) };
}
