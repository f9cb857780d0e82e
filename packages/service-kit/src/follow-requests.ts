import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MetricsRegistry } from './registry.js';
import { RouteDurations } from './route-durations.js';
import { afterAnswer, noteAnswered, noteUnanswered } from './unanswered.js';

const CLIENT_HUNG_UP = 499;

/** Gets every request when its answer has left, by `performance.now()`; returns its trace where one was recorded. */
export type OnAnswered = (
  request: FastifyRequest,
  status: number,
  beganAtMs: number,
  endedAtMs: number,
) => string | undefined;

/** Running requests, so that stopping can wait for them and nothing else. */
export type InFlight = ReturnType<typeof followRequests>;

/**
 * Follows every request from its arrival to the end of its answer: how many are under way, and how long they took by
 * route, method and status. A client that hung up before its answer counts as 499; a request without a route has `none`.
 * Requests of a connection are handled one after the other.
 */
export function followRequests(app: FastifyInstance, registry: MetricsRegistry, onAnswered?: OnAnswered) {
  const durations = new RouteDurations(registry);
  let open = 0;
  let waiting: (() => void)[] = [];
  function ended(): void {
    open--;
    if (open > 0 || waiting.length === 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  app.addHook('onRequest', (request, { raw }, done) => {
    open++;
    const beganAt = performance.now();
    const { socket } = request.raw;
    const before = noteUnanswered(socket, raw);
    // 'close' and not onResponse, which never comes for a client that hung up, and whose own listeners cost as much again.
    raw.on('close', () => {
      noteAnswered(socket, raw);
      const endedAt = performance.now();
      const seconds = (endedAt - beganAt) / 1000;
      const status = raw.writableFinished ? raw.statusCode : CLIENT_HUNG_UP;
      const traceId = onAnswered?.(request, status, beganAt, endedAt);
      const { url } = request.routeOptions;
      if (url === undefined) durations.note('none', 'any', status, seconds, traceId);
      else durations.note(url, request.method, status, seconds, traceId);
      ended();
    });
    if (before) afterAnswer(before, done);
    else done();
  });
  return {
    async drained() {
      if (open > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
