import { setImmediate } from 'node:timers/promises';
import { normalizeIP } from '@fastify/rate-limit';
import { tooManyRequests } from '@verdict/service-kit/errors.js';
import { createBlockedClients } from '@verdict/shares/blocked-clients.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export type LimitRequests = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Limits requests that are not checks by client address, over all gateways, whatever becomes of them. Redis is not asked
 * again about an address over its limit, so that a flood stays cheap. After the plugin of the other limit.
 */
export function createRequestLimit(
  app: FastifyInstance,
  perMinute: number,
  name: 'requests' | 'tries' = 'requests',
): LimitRequests {
  const count = app.createRateLimit({
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: ({ ip }) => `${name}:${normalizeIP(ip)}`,
    // A limiter that lets everything pass while Redis is away limits nothing: 503 instead.
    skipOnError: false,
  });
  const blocked = createBlockedClients();
  let turn: Promise<void> = Promise.resolve();
  const sendState = (reply: FastifyReply, remaining: number, seconds: number) =>
    reply.headers({
      'ratelimit-limit': perMinute,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': seconds,
    });

  return async (request, reply) => {
    const address = normalizeIP(request.ip);
    let seconds = blocked.secondsLeft(address);
    if (seconds === 0) {
      // One begins per turn of the event loop, so that checks do not wait for a burst of others.
      turn = turn.then(() => setImmediate());
      await turn;
      const state = await count(request);
      if (state.isAllowed) return;
      if (!state.isExceeded) return void sendState(reply, state.remaining, state.ttlInSeconds);
      seconds = state.ttlInSeconds;
      blocked.block(address, seconds);
    }
    sendState(reply, 0, seconds);
    throw tooManyRequests(seconds);
  };
}
