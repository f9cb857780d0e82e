import { operatorRolesOf } from '@verdict/contracts/routes/rights.js';
import type { Route } from '@verdict/contracts/routes/route.js';
import { findOperator } from '@verdict/db/people/users.js';
import { forbidden, operatorRoleMissing } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';

/** Runs after `authenticate`. The token does not carry the role, so removing an operator takes effect immediately. */
export async function requireOperator(
  { authDb, secondFactors, sso }: Pick<Dependencies, 'authDb' | 'secondFactors' | 'sso'>,
  request: FastifyRequest,
  route: Route,
): Promise<void> {
  const operator = await findOperator(authDb, request.caller);
  if (!operator) throw forbidden('Operators only.');
  const { role, vouched, old, secondFactor, shown } = operator;
  // The provider asks for the second factor.
  if (vouched && (old || !sso.operators))
    throw forbidden('Log in again with single sign-on to use the operator area.');
  if (!vouched && secondFactors.available && !secondFactor)
    throw forbidden('Turn on two-factor authentication to use the operator area.');
  // Asked of the login: a password that was stolen before the second factor was turned on must not enter with it.
  if (!vouched && secondFactors.available && !shown)
    throw forbidden('Log in again with a code from your authenticator app to use the operator area.');
  const roles = operatorRolesOf(route);
  if (roles && !roles.includes(role)) throw operatorRoleMissing(role, roles);
}
