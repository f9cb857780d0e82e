import {
  API_PREFIX,
  CHECK_PATH,
  DOCS_PATH,
  HEALTH_PATH,
  OPENAPI_PATH,
  STATUS_PATH,
  TRY_PATH,
  USAGE_PATH,
} from '@verdict/contracts/api-paths.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import type { Readiness } from '@verdict/service-kit/readiness.js';
import type { GatewayApp } from '../gateway-app.js';

const INDEX = {
  success: true,
  name: 'Verdict',
  check: `POST ${CHECK_PATH}`,
  status: `GET ${STATUS_PATH}`,
  usage: `GET ${USAGE_PATH}`,
  openapi: OPENAPI_PATH,
  documentation: DOCS_PATH,
} as const;

/** Routes without a key: the index and the health check. */
export function openRoutes(app: GatewayApp, readiness: Readiness, hasTries: boolean): void {
  const index = hasTries ? { ...INDEX, try: `POST ${TRY_PATH}` } : INDEX;
  app.get(`${API_PREFIX}/`, async () => index);
  // For external monitors. It checks no dependency, so that a missing Redis does not make a balancer remove every gateway.
  app.route({
    method: ['GET', 'HEAD'],
    url: HEALTH_PATH,
    handler: async () => {
      const reason = readiness.reason();
      if (reason !== null) throw unavailable(reason);
      return { success: true, status: 'ok' };
    },
  });
}
