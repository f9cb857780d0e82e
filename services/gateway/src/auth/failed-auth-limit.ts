import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { RATE_LIMIT_NAMESPACE } from '@verdict/redis-store/keys.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { tooManyRequests } from '@verdict/service-kit/errors.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Strangers } from './strangers.js';

interface FailedAuthLimitOptions {
  readonly redis: RedisConnection;
  readonly perMinute: number;
  readonly strangers: Strangers;
}

export type CountFailure = (request: FastifyRequest, error: unknown) => Promise<unknown>;

/**
 * Counts failed authentications by client address, over all gateways. A good key never waits for this: only an answer
 * that would be a 401 is counted, and past the limit it becomes a 429. From then on nothing is asked on that address's behalf
 * that costs more than a look into Redis.
 */
export async function registerFailedAuthLimit(
  app: FastifyInstance,
  { redis, perMinute, strangers }: FailedAuthLimitOptions,
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
    if (!state || state.isAllowed || !state.isExceeded) return error;
    strangers.shun(normalizeIP(request.ip), state.ttlInSeconds);
    return tooManyRequests(state.ttlInSeconds);
  };
}
