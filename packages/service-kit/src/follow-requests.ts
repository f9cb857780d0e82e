import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { RouteDurations } from './route-durations.js';
import { afterAnswer, noteAnswered, noteUnanswered } from './unanswered.js';

const CLIENT_HUNG_UP = 499;

/** Running requests, so that stopping can wait for them and nothing else. */
export type InFlight = ReturnType<typeof followRequests>;

/**
 * Follows every request from its arrival to the end of its answer: how many are under way, and how long they took by
 * route, method and status. A client that hung up before its answer counts as 499; a request without a route has `none`.
 * Requests of a connection are handled one after the other.
 */
export function followRequests(app: FastifyInstance, registry: Registry) {
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
      const seconds = (performance.now() - beganAt) / 1000;
      const status = raw.writableFinished ? raw.statusCode : CLIENT_HUNG_UP;
      const { url } = request.routeOptions;
      if (url === undefined) durations.note('none', 'any', status, seconds);
      else durations.note(url, request.method, status, seconds);
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
