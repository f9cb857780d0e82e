import type { Logger } from '@verdict/service-kit/logger.js';
import type { Histogram } from 'prom-client';
import type { ControlPlaneApp } from './control-plane-app.js';

/** One line and one observation per answer; refusals have their own line with the reason. */
export function logRequests(app: ControlPlaneApp, log: Logger, duration: Histogram): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    duration.observe({ route, method: request.method, status: reply.statusCode }, reply.elapsedTime / 1000);
    if (reply.statusCode >= 400) return;
    log.info(
      {
        requestId: request.id,
        accountId: request.caller?.account.id,
        method: request.method,
        route,
        status: reply.statusCode,
        tookMs: Math.round(reply.elapsedTime),
      },
      'request answered',
    );
  });
}
