import { forAccount } from '@verdict/db/accounts/account-scope.js';
import { findLiveSession } from '@verdict/db/people/sessions.js';
import { accountSuspended, tokenInvalid } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Databases } from '../dependencies.js';
import type { Caller } from '../http/control-plane-app.js';
import { verifyAccessToken } from './tokens.js';

/**
 * Authenticates the caller. The session is looked up each time, so that logging out takes effect before the token
 * expires.
 */
export async function authenticate(databases: Databases, request: FastifyRequest): Promise<Caller> {
  const { caller, suspended } = await readSession(databases, request);
  // A suspended user may read and log out.
  const { method, routeOptions } = request;
  if (suspended && method !== 'GET' && method !== 'HEAD' && !routeOptions.config.route?.whileSuspended) {
    throw accountSuspended({ accountId: caller.account.id });
  }
  return caller;
}

/** The live session of an access token: of the request, or one that is only asked about. */
export async function readSession(
  { db, authDb }: Databases,
  request: FastifyRequest,
  token?: string,
): Promise<{ readonly caller: Caller; readonly suspended: boolean }> {
  const { sub: userId, acc: accountId, sid: sessionId } = await verifyAccessToken(request, token);
  const session = await findLiveSession(authDb, { sessionId, userId, accountId });
  if (!session) throw tokenInvalid({ why: 'session ended' });
  const { role, suspended } = session;
  return { caller: { userId, sessionId, role, account: forAccount(db, accountId) }, suspended };
}
