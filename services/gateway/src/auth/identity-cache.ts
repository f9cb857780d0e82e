import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { type KeyIdentity, readIdentity } from '@verdict/redis-store/identity.js';
import { LRUCache } from 'lru-cache';
import type { ControlPlaneClient } from '../clients/control-plane-client.js';

export interface IdentityCache {
  /** Known already, or undefined: no promise on the hot path. */
  known(keyHash: string): KeyIdentity | undefined;
  find(keyHash: string): Promise<KeyIdentity | null>;
}

const KNOWN_MAX = 100_000;
const ABSENT_MAX = 10_000;
const ABSENT_MS = 1_500;

/**
 * Whose key it is never changes, so it is cached for ever; that a key is absent is believed for a moment only. Redis is
 * asked first, then Postgres through the control plane: a key missing from an emptied Redis is not an unknown key.
 */
export function createIdentityCache(redis: RedisConnection, controlPlane: ControlPlaneClient): IdentityCache {
  const known = new LRUCache<string, KeyIdentity>({ max: KNOWN_MAX });
  const absent = new LRUCache<string, true>({ max: ABSENT_MAX, ttl: ABSENT_MS });
  const asking = new Map<string, Promise<KeyIdentity | null>>();

  async function ask(keyHash: string): Promise<KeyIdentity | null> {
    const identity = (await readIdentity(redis, keyHash)) ?? (await controlPlane.findIdentity(keyHash));
    if (identity) known.set(keyHash, identity);
    else absent.set(keyHash, true);
    return identity;
  }

  return {
    known: (keyHash) => known.get(keyHash),
    find(keyHash) {
      if (absent.has(keyHash)) return Promise.resolve(null);
      const flight = asking.get(keyHash) ?? ask(keyHash).finally(() => asking.delete(keyHash));
      asking.set(keyHash, flight);
      return flight;
    },
  };
}
