import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { RATE_LIMIT_NAMESPACE } from '@verdict/redis-store/keys.js';
import { tooManyRequests } from '@verdict/service-kit/errors.js';
import { createBlockedClients } from '@verdict/shares/blocked-clients.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ControlPlaneApp } from './control-plane-app.js';

interface RateLimitOptions {
  readonly redis: RedisConnection;
  readonly requestsPerMinute: number;
  readonly registrationsPerHour: number;
}

export type LimitRegistrations = (request: FastifyRequest) => Promise<void>;

/**
 * Limits every request by client address, over all replicas. A hook of the root, so that unknown addresses are limited
 * too; the plugin runs only the first limiter of a request, so the others are called explicitly. Redis is not asked
 * again about an address over its limit, so that a flood stays cheap.
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

  const blocked = createBlockedClients();
  const refuse = (reply: FastifyReply, seconds: number) => {
    sendState(reply, requestsPerMinute, 0, seconds);
    return tooManyRequests(seconds);
  };

  app.addHook('onRequest', async (request, reply) => {
    const address = normalizeIP(request.ip);
    const blockedSeconds = blocked.secondsLeft(address);
    if (blockedSeconds > 0) throw refuse(reply, blockedSeconds);
    const state = await limitRequests(request);
    if (state.isAllowed) return;
    if (!state.isExceeded) return sendState(reply, state.max, state.remaining, state.ttlInSeconds);
    blocked.block(address, state.ttlInSeconds);
    throw refuse(reply, state.ttlInSeconds);
  });

  return async (request) => {
    const state = await limitRegistrations(request);
    if (!state.isAllowed && state.isExceeded) throw tooManyRequests(state.ttlInSeconds);
  };
}

function sendState(reply: FastifyReply, limit: number, remaining: number, seconds: number): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', seconds);
}
