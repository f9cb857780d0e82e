import type { Route } from '@verdict/contracts/routes/route.js';
import type { FastifyInstance } from 'fastify';

/** Collects the routes of the contract that get a handler from now on. */
export function noteAttached(app: Pick<FastifyInstance, 'addHook'>): ReadonlySet<Route> {
  const attached = new Set<Route>();
  app.addHook('onRoute', ({ config }) => {
    if (config?.route) attached.add(config.route);
  });
  return attached;
}

/** Refuses to start while a route of the contract has no handler. */
export function requireHandlers(attached: ReadonlySet<Route>, routes: readonly Route[]): void {
  const missing = routes.filter((route) => !attached.has(route));
  if (missing.length > 0)
    throw new Error(`no handler for ${missing.map(({ method, path }) => `${method} ${path}`).join(', ')}`);
}
