import type { Callers } from '@verdict/contracts/routes/route.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { authenticate } from './authenticate.js';
import { authenticateKeyOrToken } from './authenticate-key-or-token.js';
import { requireOperator } from './require-operator.js';

/** Authenticates the caller of a route as the route demands. */
export async function admit(deps: Dependencies, request: FastifyRequest, callers: Callers): Promise<void> {
  if (callers === 'anyone') return;
  const takesKeys = callers === 'key or user' || callers === 'key';
  request.authenticated = await (takesKeys ? authenticateKeyOrToken : authenticate)(deps, request);
  if (callers === 'operator') await requireOperator(deps, request);
}
