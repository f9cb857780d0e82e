import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { RATE_LIMIT_NAMESPACE } from '@verdict/redis-store/keys.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { tooManyRequests } from '@verdict/service-kit/errors.js';
import type { BlockedClients } from '@verdict/shares/blocked-clients.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

interface FailedAuthLimitOptions {
  readonly redis: RedisConnection;
  readonly perMinute: number;
  readonly blockedClients: BlockedClients;
}

export type CountFailure = (request: FastifyRequest, error: unknown) => Promise<unknown>;

/**
 * Counts failed authentications by client address, over all gateways. Only answers that would be a 401 count and
 * become a 429 past the limit, so a valid key never waits; past it only Redis is asked for that address.
 */
export async function registerFailedAuthLimit(
  app: FastifyInstance,
  { redis, perMinute, blockedClients }: FailedAuthLimitOptions,
): Promise<CountFailure> {
  await app.register(rateLimit, {
    global: false,
    redis,
    nameSpace: RATE_LIMIT_NAMESPACE,
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: ({ ip }) => `auth:${normalizeIP(ip)}`,
    // Clients still get 401 while Redis is down; nothing is admitted without it.
    skipOnError: true,
  });
  const limit = app.createRateLimit();
  return async (request, error) => {
    if (!(error instanceof AppError) || error.status !== 401) return error;
    const state = await limit(request).catch(() => null);
    if (!state || state.isAllowed || !state.isExceeded) return error;
    blockedClients.block(normalizeIP(request.ip), state.ttlInSeconds);
    return tooManyRequests(state.ttlInSeconds);
  };
}
