import type { RefreshBody } from '@verdict/contracts/dashboard/auth-api.js';
import { AUTH_ROUTES } from '@verdict/contracts/routes/auth-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField, tokenInvalid } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { readSession } from '../authenticate.js';
import { endSession } from '../end-session.js';
import {
  clearRefreshCookie,
  readRefreshCookie,
  refuseForeignOrigin,
  setRefreshCookie,
} from '../refresh-cookie.js';
import { refreshSession } from '../refresh-session.js';
import { signAccessToken } from '../tokens.js';

/** Refreshing, verifying and ending tokens. */
export function tokenRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  attach(app, AUTH_ROUTES.refresh, async (request, reply) => {
    const shown = shownToken(request, request.body);
    // A browser without a session asks like any other; that is no failed request.
    if (shown.fromCookie && shown.token === '') return { success: true, access: null };
    const { userId, accountId, sessionId, token } = await refreshSession(deps, request, shown);
    const access = signAccessToken(app, { sub: userId, acc: accountId, sid: sessionId });
    if (!shown.fromCookie) return { success: true, access, refresh: token };
    setRefreshCookie(request, reply, token, deps.config.REFRESH_TOKEN_SECONDS);
    return { success: true, access };
  });

  attach(app, AUTH_ROUTES.verify, async (request) => {
    await readSession(deps, request, request.body.token);
    return { success: true };
  });

  attach(app, AUTH_ROUTES.logOut, async (request, reply) => {
    if (request.body.cookie) {
      refuseForeignOrigin(request);
      clearRefreshCookie(request, reply);
      await endSession(deps, request, readRefreshCookie(request) ?? '');
      return { success: true };
    }
    if (!(await endSession(deps, request, shownToken(request, request.body).token))) throw tokenInvalid();
    return { success: true };
  });
}

/** The token of the body or of the cookie; a request says which of them it means. */
function shownToken(request: FastifyRequest, body: RefreshBody): { token: string; fromCookie: boolean } {
  if (body.cookie) {
    if (body.refresh !== undefined) throw invalidField('refresh', 'must be left out when cookie is true');
    refuseForeignOrigin(request);
    return { token: readRefreshCookie(request) ?? '', fromCookie: true };
  }
  if (body.refresh === undefined) throw invalidField('refresh', 'is required');
  return { token: body.refresh, fromCookie: false };
}
