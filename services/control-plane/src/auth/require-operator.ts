import { findOperator } from '@verdict/db/people/users.js';
import { forbidden } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';

/** After `authenticate`. The token does not say it: who is no operator any more is out at once. */
export async function requireOperator(
  { authDb, secondFactors }: Pick<Dependencies, 'authDb' | 'secondFactors'>,
  request: FastifyRequest,
): Promise<void> {
  const operator = await findOperator(authDb, request.caller.userId);
  if (!operator) throw forbidden('This area is for the people who run the service.');
  if (secondFactors.available && !operator.secondFactor) {
    throw forbidden('Turn on two-factor authentication to use the operator area.');
  }
}
