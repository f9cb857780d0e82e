import { forAccount } from '@verdict/db/accounts/account-scope.js';
import type { Database } from '@verdict/db/database/client.js';
import { isSessionLive } from '@verdict/db/people/sessions.js';
import { tokenInvalid } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../http/control-plane-app.js';
import { verifyAccessToken } from './tokens.js';

/** Who calls. The session is looked up each time: logging out must not wait until the token expires. */
export async function authenticate(db: Database, request: FastifyRequest, token?: string): Promise<Caller> {
  const { sub: userId, acc: accountId, sid: sessionId } = await verifyAccessToken(request, token);
  if (!(await isSessionLive(db, { sessionId, userId, accountId })))
    throw tokenInvalid({ why: 'session ended' });
  return { userId, sessionId, account: forAccount(db, accountId) };
}
