import type { Route } from '@verdict/contracts/routes/route.js';
import { requireRole } from '@verdict/service-kit/require-role.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { authenticate } from './authenticate.js';
import { authenticateKeyOrToken, refuseKey } from './authenticate-key-or-token.js';
import { requireOperator } from './require-operator.js';

/** Authenticates the caller of a route as the route demands. */
export async function admit(deps: Dependencies, request: FastifyRequest, route: Route): Promise<void> {
  const { callers } = route;
  if (callers === 'anyone') return;
  if (callers === 'key or user' || callers === 'key') {
    request.authenticated = await authenticateKeyOrToken(deps, request, route);
    return;
  }
  const { authorization, 'x-api-key': key } = request.headers;
  if (authorization === undefined && key !== undefined) await refuseKey(deps, request);
  const caller = await authenticate(deps, request);
  requireRole(route, caller.role);
  request.authenticated = caller;
  if (callers === 'operator') await requireOperator(deps, request, route);
}
