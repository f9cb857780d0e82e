import type { Step, Tracing } from '@verdict/telemetry/tracing.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Traces every request, continuing the client's `traceparent`, and returns the step of a request. Call it before routes
 * are added.
 */
export function traceRequests(
  app: FastifyInstance,
  tracing: Tracing,
): (request: FastifyRequest) => Step | undefined {
  const steps = new WeakMap<FastifyRequest, Step>();
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route = 'none' } = request.routeOptions;
    const { traceparent } = request.headers;
    const step = tracing.start('server', `${request.method} ${route}`, traceparent as string | undefined, {
      'http.request.method': request.method,
      'http.route': route,
      'verdict.request_id': request.id,
    });
    steps.set(request, step);
    reply.raw.once('close', () => {
      const answer = { 'http.response.status_code': reply.statusCode };
      if (!reply.raw.writableFinished) step.fail('the client hung up');
      else if (reply.statusCode >= 500) step.fail(`answered ${reply.statusCode}`, answer);
      else step.end(answer);
    });
    done();
  });
  // Not in onRequest: a body is read in the async context of its connection, and the handler is called from there.
  app.addHook('preHandler', (request, _reply, done) => tracing.within(steps.get(request), done));
  return (request) => steps.get(request);
}
