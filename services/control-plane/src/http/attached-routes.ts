import { API_PREFIX, OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import type { Route } from '@verdict/contracts/routes/route.js';
import { CONTROL_PLANE_ROUTES } from '@verdict/contracts/routes/routes.js';
import type { FastifyInstance } from 'fastify';

/** Collects the routes that get a handler, and refuses a handler that serves none: nothing would say who may call it. */
export function noteAttached(app: FastifyInstance): ReadonlySet<Route> {
  const attached = new Set<Route>();
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.route) attached.add(config.route);
    else if (url.startsWith(API_PREFIX) && url !== OPENAPI_PATH)
      throw new Error(`${method} ${url} is not in the contract`);
  });
  return attached;
}

export function requireHandlers(attached: ReadonlySet<Route>): void {
  const missing = CONTROL_PLANE_ROUTES.filter((route) => !attached.has(route));
  if (missing.length > 0)
    throw new Error(`no handler for ${missing.map(({ method, path }) => `${method} ${path}`).join(', ')}`);
}
