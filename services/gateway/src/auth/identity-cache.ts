import { hashApiKey, isTestApiKey, isWellFormedApiKey } from '@verdict/domain/api-key.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { readIdentity } from '@verdict/redis-store/identity.js';
import { credentialOfHash } from '@verdict/redis-store/keys.js';
import type { Caller } from '@verdict/redis-store/step.js';
import { tooManyRequests, unavailable } from '@verdict/service-kit/errors.js';
import { createSingleFlight } from '@verdict/service-kit/single-flight.js';
import type { BlockedClients } from '@verdict/shares/blocked-clients.js';
import { inTurn } from '@verdict/shares/in-turn.js';
import { createSemaphore } from '@verdict/shares/semaphore.js';
import { LRUCache } from 'lru-cache';
import type { ControlPlaneClient } from '../clients/control-plane-client.js';

export type IdentityCache = ReturnType<typeof createIdentityCache>;

/** `maxSize`, unlike `max`, takes their memory when it is needed and not at the start. */
const KNOWN = { maxSize: 100_000, sizeCalculation: () => 1 };
const ABSENT_MAX = 10_000;
const ABSENT_MS = 1_500;
/** Limits concurrent look-ups of unknown keys, so that a flood of them does not reach the control plane. */
const ASKED_MAX = 64;

/**
 * The owner of a key never changes, so it is cached for ever; an absence only for a moment. Redis is asked first, then
 * Postgres through the control plane, because an emptied Redis does not make a key unknown; a mistyped key fails its
 * checksum without any I/O.
 */
export function createIdentityCache(
  redis: RedisConnection,
  controlPlane: ControlPlaneClient,
  blockedClients: BlockedClients,
) {
  const known = new LRUCache<string, Caller>(KNOWN);
  const absent = new LRUCache<string, true>({ max: ABSENT_MAX, ttl: ABSENT_MS });
  const inOneFlight = createSingleFlight<Caller | null>();
  const asked = createSemaphore({ capacity: ASKED_MAX });

  async function askControlPlane(keyHash: string, address: string) {
    const blockedSeconds = blockedClients.secondsLeft(address);
    if (blockedSeconds > 0) throw tooManyRequests(blockedSeconds);
    return inTurn(asked, () => controlPlane.findIdentity(keyHash), {
      owners: [address],
      signal: undefined,
      refusal: () => unavailable('identity: too many concurrent look-ups of unknown keys'),
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
    /** Known already, or undefined: neither a hash nor a promise on the hot path. */
    known: (apiKey: string) => known.get(apiKey),
    /** Null for a key that never existed. `address` is where it came from. */
    find(apiKey: string, address: string) {
      if (!isWellFormedApiKey(apiKey) || absent.has(apiKey)) return Promise.resolve(null);
      return inOneFlight(apiKey, () => ask(apiKey, address));
    },
  };
}
