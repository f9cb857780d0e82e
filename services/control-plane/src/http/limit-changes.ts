import type { Route } from '@verdict/contracts/routes/route.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { takeAttempt } from '@verdict/redis-store/login-attempts.js';
import { tooManyChanges } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';

const HOUR_MS = 3_600_000;

/**
 * Limits the changes of an account, because the audit log keeps a record of each for good. Deletions are free: each undoes
 * a change that was counted, and a leaked key must be revocable at any time.
 */
export const createChangeLimit =
  (redis: RedisConnection, perHour: number) =>
  async ({ authenticated }: FastifyRequest, route: Route): Promise<void> => {
    if (!authenticated || route.takes.allowance !== 'changes') return;
    const bucket = `changes:${authenticated.account.id}`;
    // Without Redis a change is stored and pending, so this limit must not refuse it.
    const waitMs = await takeAttempt(redis, bucket, perHour, HOUR_MS).catch(() => 0);
    if (waitMs > 0) throw tooManyChanges(perHour, Math.ceil(waitMs / 1_000));
  };
