import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { RATE_LIMIT_NAMESPACE } from '@verdict/redis-store/keys.js';
import { tooManyRequests } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { ControlPlaneApp } from './control-plane-app.js';

interface RateLimitOptions {
  readonly redis: RedisConnection;
  readonly requestsPerMinute: number;
  readonly registrationsPerHour: number;
}

export type LimitRegistrations = (request: FastifyRequest) => Promise<void>;

/**
 * Limits every request by client address, over all replicas. A hook of the root, so that unknown addresses are limited
 * too; the plugin runs only the first limiter of a request, so the others are called explicitly.
 */
export async function registerRateLimits(
  app: ControlPlaneApp,
  { redis, requestsPerMinute, registrationsPerHour }: RateLimitOptions,
): Promise<LimitRegistrations> {
  await app.register(rateLimit, {
    global: false,
    redis,
    nameSpace: `${RATE_LIMIT_NAMESPACE}control:`,
    // A limiter that waves everything through while Redis is away is none: 503 instead.
    skipOnError: false,
  });
  const limitRequests = app.createRateLimit({ max: requestsPerMinute, timeWindow: 60_000 });
  const limitRegistrations = app.createRateLimit({
    max: registrationsPerHour,
    timeWindow: 3_600_000,
    keyGenerator: (request) => `register:${normalizeIP(request.ip)}`,
  });

  app.addHook('onRequest', async (request, reply) => {
    const state = await limitRequests(request);
    if (state.isAllowed) return;
    reply.header('ratelimit-limit', state.max);
    reply.header('ratelimit-remaining', state.remaining);
    reply.header('ratelimit-reset', state.ttlInSeconds);
    if (state.isExceeded) throw tooManyRequests(state.ttlInSeconds);
  });

  return async (request) => {
    const state = await limitRegistrations(request);
    if (!state.isAllowed && state.isExceeded) throw tooManyRequests(state.ttlInSeconds);
  };
}
