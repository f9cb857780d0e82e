import {
  type RefreshBody,
  RefreshBodySchema,
  RefreshReplySchema,
  VerifyBodySchema,
} from '@verdict/contracts/dashboard/auth-api.js';
import { DoneSchema } from '@verdict/contracts/dashboard/common.js';
import { invalidField, tokenInvalid } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
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
  app.post(
    '/auth/jwt/refresh/',
    {
      config: { open: true },
      schema: {
        tags: ['auth'],
        summary: 'Trade a refresh token for new tokens; an old one ends the session',
        description: 'Store the new refresh token; the session ends if an old one is used.',
        body: RefreshBodySchema,
        response: { 200: RefreshReplySchema, ...errorReplies(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const shown = shownToken(request, request.body);
      // A browser without a session asks like any other; that is no failed request.
      if (shown.fromCookie && shown.token === '') return { success: true as const, access: null };
      const { userId, accountId, sessionId, token } = await refreshSession(deps, request, shown);
      const access = signAccessToken(app, { sub: userId, acc: accountId, sid: sessionId });
      if (!shown.fromCookie) return { success: true as const, access, refresh: token };
      setRefreshCookie(request, reply, token, deps.config.REFRESH_TOKEN_SECONDS);
      return { success: true as const, access };
    },
  );

  app.post(
    '/auth/jwt/verify/',
    {
      config: { open: true },
      schema: {
        tags: ['auth'],
        summary: 'Is this access token good?',
        description: 'Answers 200 while the token is valid and its session lives, otherwise 401.',
        body: VerifyBodySchema,
        response: { 200: DoneSchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      await readSession(deps, request, request.body.token);
      return { success: true as const };
    },
  );

  app.post(
    '/auth/jwt/logout/',
    {
      config: { open: true },
      schema: {
        tags: ['auth'],
        summary: 'End the session of a refresh token; with cookie: true the cookie goes in any case',
        description: 'Its access tokens stop working immediately.',
        body: RefreshBodySchema,
        response: { 200: DoneSchema, ...errorReplies(400, 401, 403) },
      },
    },
    async (request, reply) => {
      if (request.body.cookie) {
        refuseForeignOrigin(request);
        clearRefreshCookie(request, reply);
        await endSession(deps, request, readRefreshCookie(request) ?? '');
        return { success: true as const };
      }
      if (!(await endSession(deps, request, shownToken(request, request.body).token))) throw tokenInvalid();
      return { success: true as const };
    },
  );
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
