import { findOperator } from '@verdict/db/people/users.js';
import { forbidden } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';

/** Runs after `authenticate`. The token does not carry the role, so removing an operator takes effect immediately. */
export async function requireOperator(
  { authDb, secondFactors }: Pick<Dependencies, 'authDb' | 'secondFactors'>,
  request: FastifyRequest,
): Promise<void> {
  const operator = await findOperator(authDb, request.caller);
  if (!operator) throw forbidden('Operators only.');
  if (!secondFactors.available) return;
  if (!operator.secondFactor) {
    throw forbidden('Turn on two-factor authentication to use the operator area.');
  }
  // Asked of the login: a password that was stolen before the second factor was turned on must not enter with it.
  if (!operator.shown) {
    throw forbidden('Log in again with a code from your authenticator app to use the operator area.');
  }
}
