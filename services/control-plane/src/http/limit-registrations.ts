import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { RATE_LIMIT_NAMESPACE } from '@verdict/redis-store/keys.js';
import { tooManyRequests } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { ControlPlaneApp } from './control-plane-app.js';

export type LimitRegistrations = (request: FastifyRequest) => Promise<void>;

/** Limits new accounts by client address, over all replicas; gateways limit requests. */
export async function registerRegistrationLimit(
  app: ControlPlaneApp,
  { redis, perHour }: { readonly redis: RedisConnection; readonly perHour: number },
): Promise<LimitRegistrations> {
  await app.register(rateLimit, {
    global: false,
    redis,
    nameSpace: `${RATE_LIMIT_NAMESPACE}control:`,
    max: perHour,
    timeWindow: 3_600_000,
    keyGenerator: ({ ip }) => `register:${normalizeIP(ip)}`,
    // A limiter that lets everything pass while Redis is away limits nothing: 503 instead.
    skipOnError: false,
  });
  const limit = app.createRateLimit();
  return async (request) => {
    const state = await limit(request);
    if (!state.isAllowed && state.isExceeded) throw tooManyRequests(state.ttlInSeconds);
  };
}
