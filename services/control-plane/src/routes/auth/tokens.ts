import {
  RefreshBodySchema,
  TokensReplySchema,
  VerifyBodySchema,
} from '@verdict/contracts/dashboard/auth-api.js';
import { DoneSchema } from '@verdict/contracts/dashboard/common.js';
import { appendAudit } from '@verdict/db/audit-events.js';
import {
  findSessionOwner,
  revokeSession,
  revokeSessionByToken,
  rotateSession,
} from '@verdict/db/sessions.js';
import { tokenInvalid } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import { authenticate } from '../../auth/authenticate.js';
import { createRefreshToken, readRefreshToken } from '../../auth/refresh-token.js';
import { signAccessToken } from '../../auth/tokens.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';

/** What becomes of tokens after the login. */
export function tokenRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId, config } = deps;

  app.post(
    '/auth/jwt/refresh/',
    {
      config: { open: true },
      schema: {
        tags: ['auth'],
        summary: 'Trade a refresh token for new tokens; an old one ends the session',
        body: RefreshBodySchema,
        response: { 200: TokensReplySchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const shown = readRefreshToken(request.body.refresh);
      if (!shown) throw tokenInvalid();
      const { sessionId } = shown;
      const next = createRefreshToken(sessionId);
      const owner = await rotateSession(db, {
        id: sessionId,
        shownHash: shown.hash,
        nextHash: next.hash,
        lifetimeSeconds: config.REFRESH_TOKEN_SECONDS,
      });
      if (!owner) {
        await endReusedSession(request, sessionId);
        throw tokenInvalid({ why: 'refresh token is not the newest' });
      }
      const access = signAccessToken(app, { sub: owner.userId, acc: owner.accountId, sid: sessionId });
      return { success: true as const, access, refresh: next.token };
    },
  );

  /** Two holders of one token: one of them stole it, and nobody can say which. The session ends for both. */
  async function endReusedSession(request: FastifyRequest, sessionId: string): Promise<void> {
    if (!(await revokeSession(db, sessionId))) return;
    const owner = await findSessionOwner(db, sessionId);
    if (!owner) return;
    const { userId, accountId } = owner;
    const audit = auditOf(createId, request, { action: 'session.reuse_detected', target: sessionId, userId });
    await appendAudit(db, accountId, audit);
  }

  app.post(
    '/auth/jwt/verify/',
    {
      config: { open: true },
      schema: {
        tags: ['auth'],
        summary: 'Is this access token good?',
        body: VerifyBodySchema,
        response: { 200: DoneSchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      await authenticate(db, request, request.body.token);
      return { success: true as const };
    },
  );

  app.post(
    '/auth/jwt/logout/',
    {
      config: { open: true },
      schema: {
        tags: ['auth'],
        summary: 'End the session of a refresh token',
        body: RefreshBodySchema,
        response: { 200: DoneSchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const shown = readRefreshToken(request.body.refresh);
      if (!shown || !(await revokeSessionByToken(db, shown.sessionId, shown.hash))) throw tokenInvalid();
      const owner = await findSessionOwner(db, shown.sessionId);
      if (owner) {
        const { userId, accountId } = owner;
        await appendAudit(db, accountId, auditOf(createId, request, { action: 'user.logged_out', userId }));
      }
      return { success: true as const };
    },
  );
}
