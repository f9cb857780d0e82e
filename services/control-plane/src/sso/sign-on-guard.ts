import { createHash } from 'node:crypto';
import { normalizeIP } from '@fastify/rate-limit';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { returnAttempt, takeAttempt } from '@verdict/redis-store/login-attempts.js';
import { loginLocked } from '@verdict/service-kit/errors.js';

export type SignOnGuard = ReturnType<typeof createSignOnGuard>;

/** Counts the steps of logins that a client address began and did not end, because each step asks a provider. */
export function createSignOnGuard(redis: RedisConnection, windowMs: number, stepsMax: number) {
  const bucketOf = (ip: string) =>
    `sign-on:${createHash('sha256').update(normalizeIP(ip)).digest('base64url').slice(0, 32)}`;
  return {
    async step(ip: string): Promise<void> {
      const waitMs = await takeAttempt(redis, bucketOf(ip), stepsMax, windowMs);
      if (waitMs > 0) throw loginLocked(Math.ceil(waitMs / 1000));
    },
    /** A login came to its end: it began with one step and ended with another. */
    async finished(ip: string): Promise<void> {
      await returnAttempt(redis, bucketOf(ip));
      await returnAttempt(redis, bucketOf(ip));
    },
  };
}
