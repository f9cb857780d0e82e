import { createHash } from 'node:crypto';
import { normalizeIP } from '@fastify/rate-limit';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import {
  isKnownPlace,
  rememberPlaces,
  returnAttempt,
  takeAttempt,
} from '@verdict/redis-store/login-attempts.js';
import { loginLocked } from '@verdict/service-kit/errors.js';

interface LoginGuardOptions {
  readonly redis: RedisConnection;
  readonly windowMs: number;
  readonly failuresPerUserMax: number;
  readonly failuresPerAddressMax: number;
}

export interface LoginPlace {
  readonly ip: string;
  /** Signs of a known browser. */
  readonly device?: string | undefined;
}

export interface LoginAttempt {
  readonly knownDevice: boolean;
  readonly knownAddress: boolean;
  /** Marks the address as known, and the browser if it has a cookie. */
  succeeded(device?: string): Promise<void>;
  /** It was no failure, and no success yet. */
  undone(): Promise<void>;
}

export interface LoginGuard {
  /** Throws when there were too many failures; otherwise counts this attempt as one until it succeeds. */
  attempt(email: string, place: LoginPlace): Promise<LoginAttempt>;
}

/**
 * Counts failed logins by client address and by user. Strangers share the user's limit; a known browser and a known
 * address each have their own, so others cannot lock them out.
 */
export function createLoginGuard(options: LoginGuardOptions): LoginGuard {
  const { redis, windowMs, failuresPerUserMax, failuresPerAddressMax } = options;
  const pairsOf = (email: string, { ip, device }: LoginPlace) => ({
    byDevice: device === undefined ? null : digest(`${email}\ndevice ${device}`),
    byAddress: digest(`${email}\n${normalizeIP(ip)}`),
  });

  return {
    async attempt(email, place) {
      const { byDevice, byAddress } = pairsOf(email, place);
      const user = digest(email);
      const knownDevice = byDevice !== null && (await isKnownPlace(redis, user, byDevice));
      const knownAddress = await isKnownPlace(redis, user, byAddress);
      const buckets = knownDevice
        ? [{ name: `device:${byDevice}`, max: failuresPerUserMax }]
        : knownAddress
          ? [{ name: `pair:${byAddress}`, max: failuresPerUserMax }]
          : [
              { name: `address:${digest(normalizeIP(place.ip))}`, max: failuresPerAddressMax },
              { name: `user:${user}`, max: failuresPerUserMax },
            ];
      for (const { name, max } of buckets) {
        const waitMs = await takeAttempt(redis, name, max, windowMs);
        if (waitMs > 0) throw loginLocked(Math.ceil(waitMs / 1000));
      }
      const undone = async () => {
        for (const { name } of buckets) await returnAttempt(redis, name);
      };
      return {
        knownDevice,
        knownAddress,
        undone,
        async succeeded(device) {
          await undone();
          const now = pairsOf(email, { ...place, device: device ?? place.device });
          await rememberPlaces(redis, user, [now.byAddress, ...(now.byDevice ? [now.byDevice] : [])]);
        },
      };
    },
  };
}

/** Redis never holds addresses or IPs in the clear. */
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32);
