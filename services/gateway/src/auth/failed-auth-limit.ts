import rateLimit from '@fastify/rate-limit';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { RATE_LIMIT_NAMESPACE } from '@verdict/redis-store/keys.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { tooManyRequests } from '@verdict/service-kit/errors.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

interface FailedAuthLimitOptions {
  readonly redis: RedisConnection;
  readonly perMinute: number;
}

export type CountFailure = (request: FastifyRequest, error: unknown) => Promise<unknown>;

/**
 * Counts failed authentications by client address, over all gateways. A good key never waits for this: only an answer
 * that would be a 401 is counted, and past the limit it becomes a 429.
 */
export async function registerFailedAuthLimit(
  app: FastifyInstance,
  { redis, perMinute }: FailedAuthLimitOptions,
): Promise<CountFailure> {
  await app.register(rateLimit, {
    global: false,
    redis,
    nameSpace: `${RATE_LIMIT_NAMESPACE}auth:`,
    max: perMinute,
    timeWindow: 60_000,
    // Strangers are still told 401 while Redis is away; nothing is admitted without it.
    skipOnError: true,
  });
  const limit = app.createRateLimit();
  return async (request, error) => {
    if (!(error instanceof AppError) || error.status !== 401) return error;
    const state = await limit(request).catch(() => null);
    return state && !state.isAllowed && state.isExceeded ? tooManyRequests(state.ttlInSeconds) : error;
  };
}
