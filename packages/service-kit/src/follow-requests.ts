import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import { afterAnswerBefore, noteUnanswered } from './unanswered.js';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const CLIENT_HUNG_UP = 499;

/** Running requests, so that stopping can wait for them and nothing else. */
export type InFlight = ReturnType<typeof followRequests>;

/**
 * Follows every request from its arrival to the end of its answer: how many are under way, and how long they took by
 * route, method and status. A client that hung up before its answer counts as 499; a request without a route has `none`.
 * Requests of a connection are handled one after the other.
 */
export function followRequests(app: FastifyInstance, registry: Registry) {
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
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
    const unanswered = noteUnanswered(request.raw.socket, raw);
    // 'close' and not onResponse, which never comes for a client that hung up, and whose own listeners cost as much again.
    raw.on('close', () => {
      unanswered.delete(raw);
      const status = raw.writableFinished ? raw.statusCode : CLIENT_HUNG_UP;
      const { url: route } = request.routeOptions;
      const labels = route
        ? { route, method: request.method, status }
        : { route: 'none', method: 'any', status };
      histogram.observe(labels, (performance.now() - beganAt) / 1000);
      ended();
    });
    afterAnswerBefore(unanswered, done);
  });
  return {
    async drained() {
      if (open > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
