import type { Logger } from '@verdict/service-kit/logger.js';
import type { ControlPlaneApp } from './control-plane-app.js';

/** One line per answer with LOG_LEVEL=debug; refusals have their own line with the reason. */
export function logRequests(app: ControlPlaneApp, log: Logger): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    if (reply.statusCode >= 400) return;
    log.debug(
      {
        requestId: request.id,
        accountId: request.authenticated?.account.id,
        method: request.method,
        route,
        status: reply.statusCode,
        tookMs: Math.round(reply.elapsedTime),
      },
      'request answered',
    );
  });
}
