import { createHash } from 'node:crypto';
import { normalizeIP } from '@fastify/rate-limit';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import {
  isKnownPair,
  rememberPair,
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

export interface LoginGuard {
  /** Throws when there were too many failures; otherwise counts this attempt as one until it succeeds. */
  attempt(email: string, ip: string): Promise<{ succeeded(): Promise<void> }>;
}

/**
 * Counts failed logins by client address and by user. All strangers share the user's allowance, but an address that
 * the user has logged in from before has one of its own: guessing at somebody's password does not lock them out.
 */
export function createLoginGuard(options: LoginGuardOptions): LoginGuard {
  const { redis, windowMs, failuresPerUserMax, failuresPerAddressMax } = options;

  return {
    async attempt(email, ip) {
      const address = normalizeIP(ip);
      const pair = digest(`${email}\n${address}`);
      const known = await isKnownPair(redis, pair);
      const buckets = [
        { name: `address:${digest(address)}`, max: failuresPerAddressMax },
        { name: known ? `pair:${pair}` : `user:${digest(email)}`, max: failuresPerUserMax },
      ];
      for (const { name, max } of buckets) {
        const waitMs = await takeAttempt(redis, name, max, windowMs);
        if (waitMs > 0) throw loginLocked(Math.ceil(waitMs / 1000));
      }
      return {
        async succeeded() {
          for (const { name } of buckets) await returnAttempt(redis, name);
          await rememberPair(redis, pair);
        },
      };
    },
  };
}

/** Neither addresses nor IPs lie in Redis in the clear. */
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32);
