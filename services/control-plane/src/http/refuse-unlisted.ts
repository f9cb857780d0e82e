import { API_PREFIX, OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import type { FastifyInstance } from 'fastify';

/** Refuses to start with a handler that serves no route of the contract, because nothing would say who may call it. */
export function refuseUnlisted(app: Pick<FastifyInstance, 'addHook'>): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (url.startsWith(API_PREFIX) && url !== OPENAPI_PATH && !config?.route)
      throw new Error(`${method} ${url} is not in the contract`);
  });
}
