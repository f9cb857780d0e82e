import { ajvOptions } from '@verdict/service-kit/ajv-options.js';
import { installErrorHandling } from '@verdict/service-kit/error-handling.js';
import { followRequests } from '@verdict/service-kit/follow-requests.js';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import type { Dependencies } from './dependencies.js';
import { serveFrames } from './frames/serve-frames.js';
import { datasetsRoute } from './routes/datasets.js';
import { explainRoute } from './routes/explain.js';
import { ipsRoute } from './routes/ips.js';
import { scoreRoute } from './routes/score.js';
import { secondLookRoute } from './routes/second-look.js';
import { sourcesRoute } from './routes/sources.js';
import { traceBatches } from './tracing/trace-batches.js';

/** Room for a full batch of the longest addresses, escaped. */
const BODY_LIMIT_BYTES = 1024 * 1024;

/** The listener for gateways. */
export function createApp(deps: Dependencies) {
  const app = Fastify({
    // One shared logger: a child per request costs redaction for a line that is rarely written.
    logger: false,
    childLoggerFactory: () => deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: 10_000,
    // Longer than a gateway keeps an idle connection, so that no batch meets a closed socket.
    keepAliveTimeout: 75_000,
    routerOptions: { ignoreTrailingSlash: true },
    ajv: ajvOptions,
    forceCloseConnections: 'idle',
  });
  if (deps.tracing) traceBatches(app, deps.tracing);
  const inFlight = followRequests(app, deps.metrics.registry);
  installErrorHandling(app, deps.log);
  scoreRoute(app, deps);
  datasetsRoute(app, deps);
  explainRoute(app, deps);
  ipsRoute(app, deps);
  sourcesRoute(app, deps);
  secondLookRoute(app, deps);
  serveFrames(app, deps);
  return { app, inFlight };
}
