import { appendAudit } from '@verdict/db/accounts/audit-events.js';
import type { OutgoingMail } from '@verdict/db/people/outgoing-mails.js';
import { createSession } from '@verdict/db/people/sessions.js';
import type { OperatorRole } from '@verdict/domain/role.js';
import { takeAttempt } from '@verdict/redis-store/login-attempts.js';
import { tooManyLogins } from '@verdict/service-kit/errors.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { auditOf } from '../http/audit-of.js';
import type { ControlPlaneApp } from '../http/control-plane-app.js';
import { setRefreshCookie } from './refresh-cookie.js';
import { createRefreshToken } from './refresh-token.js';
import { sessionLife } from './session-life.js';
import { signAccessToken } from './tokens.js';

const USER_AGENT_LENGTH_MAX = 300;
const HOUR_MS = 3_600_000;

interface Opening {
  readonly userId: string;
  readonly accountId: string;
  /** The refresh token goes into a cookie. */
  readonly cookie: boolean;
  readonly secondFactor: boolean;
  /** Whose provider vouches for the user: the account's, which opens this account alone, or the server's, for an operator. */
  readonly vouched?: 'account' | OperatorRole;
  /** The mail about it. */
  readonly mail?: OutgoingMail;
}

export const userAgentOf = ({ headers }: FastifyRequest): string | null =>
  headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX) ?? null;

/** Opens a session, however its user was recognised. Each leaves a session and a record, so an hour has so many of a user. */
export async function openSession(
  app: ControlPlaneApp,
  { db, redis, createId, config }: Pick<Dependencies, 'db' | 'redis' | 'createId' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, accountId, cookie, secondFactor, vouched, mail }: Opening,
): Promise<{ success: true; access: string; refresh?: string }> {
  const perHour = config.CHANGES_PER_HOUR;
  const waitMs = await takeAttempt(redis, `logins:${userId}`, perHour, HOUR_MS);
  if (waitMs > 0) throw tooManyLogins(perHour, Math.ceil(waitMs / 1_000));
  const sessionId = createId('ses');
  const refresh = createRefreshToken(sessionId);
  await createSession(db, {
    id: sessionId,
    ...{ userId, accountId },
    ...refresh.stored,
    ...{ cookie, secondFactor },
    ...(vouched === 'account' && { ssoAccountId: accountId }),
    ...(vouched !== undefined && vouched !== 'account' && { operatorRole: vouched }),
    ip: request.ip,
    userAgent: userAgentOf(request),
    life: sessionLife(config),
  });
  const audit = auditOf(createId, request, {
    action: 'user.logged_in',
    userId,
    ...(vouched && { details: { with: 'single sign-on' } }),
    ...(mail && { mail }),
  });
  await appendAudit(db, accountId, audit);
  const access = signAccessToken(app, { sub: userId, acc: accountId, sid: sessionId });
  if (!cookie) return { success: true, access, refresh: refresh.token };
  setRefreshCookie(request, reply, refresh.token, config.REFRESH_TOKEN_SECONDS);
  return { success: true, access };
}
