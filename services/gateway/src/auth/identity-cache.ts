import { hashApiKey, isTestApiKey, isWellFormedApiKey } from '@verdict/domain/api-key.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { readIdentity } from '@verdict/redis-store/identity.js';
import { credentialOfHash } from '@verdict/redis-store/keys.js';
import type { Caller } from '@verdict/redis-store/step.js';
import { tooManyRequests, unavailable } from '@verdict/service-kit/errors.js';
import { createSingleFlight } from '@verdict/service-kit/single-flight.js';
import { inTurn } from '@verdict/shares/in-turn.js';
import { createSemaphore } from '@verdict/shares/semaphore.js';
import { LRUCache } from 'lru-cache';
import type { ControlPlaneClient } from '../clients/control-plane-client.js';
import type { Strangers } from './strangers.js';

export interface IdentityCache {
  /** Known already, or undefined: neither a hash nor a promise on the hot path. */
  known(apiKey: string): Caller | undefined;
  /** Null for a key that never existed. `address` is where it came from. */
  find(apiKey: string, address: string): Promise<Caller | null>;
}

const KNOWN_MAX = 100_000;
const ABSENT_MAX = 10_000;
const SHUNNED_SECONDS = 5;
const ABSENT_MS = 1_500;
/** Keys that nobody knows, being asked for at once: a flood of them from many addresses must not become the control plane's. */
const ASKED_MAX = 64;

/**
 * Whose key it is never changes, so it is cached for ever; that a key is absent is believed for a moment only. Redis is
 * asked first, then Postgres through the control plane: a key missing from an emptied Redis is not an unknown key. A
 * mistyped key is refused by its checksum, without any I/O; for an address that failed too often Redis has the last word.
 */
export function createIdentityCache(
  redis: RedisConnection,
  controlPlane: ControlPlaneClient,
  strangers: Strangers,
): IdentityCache {
  const known = new LRUCache<string, Caller>({ max: KNOWN_MAX });
  const absent = new LRUCache<string, true>({ max: ABSENT_MAX, ttl: ABSENT_MS });
  const inOneFlight = createSingleFlight<Caller | null>();
  const asked = createSemaphore({ capacity: ASKED_MAX });

  async function askControlPlane(keyHash: string, address: string) {
    if (strangers.isShunned(address)) throw tooManyRequests(SHUNNED_SECONDS);
    return inTurn(asked, () => controlPlane.findIdentity(keyHash), {
      refusal: () => unavailable('identity: too many unknown keys at once'),
    });
  }

  async function ask(apiKey: string, address: string): Promise<Caller | null> {
    const keyHash = hashApiKey(apiKey);
    const identity = (await readIdentity(redis, keyHash)) ?? (await askControlPlane(keyHash, address));
    if (!identity) {
      absent.set(apiKey, true);
      return null;
    }
    const caller = { ...identity, credential: credentialOfHash(keyHash), isTest: isTestApiKey(apiKey) };
    known.set(apiKey, caller);
    return caller;
  }

  return {
    known: (apiKey) => known.get(apiKey),
    find(apiKey, address) {
      if (!isWellFormedApiKey(apiKey) || absent.has(apiKey)) return Promise.resolve(null);
      return inOneFlight(apiKey, () => ask(apiKey, address));
    },
  };
}
