import {
  SetPasswordBodySchema,
  SetPasswordReplySchema,
  UserReplySchema,
} from '@verdict/contracts/dashboard/auth-api.js';
import { isCookieSession } from '@verdict/db/people/sessions.js';
import { setPassword } from '@verdict/db/people/users.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import { confirmPassword } from '../../auth/confirm-password.js';
import { passwordFault } from '../../auth/password-fault.js';
import { setRefreshCookie } from '../../auth/refresh-cookie.js';
import { createRefreshToken } from '../../auth/refresh-token.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { showUser } from './show-user.js';

export function meRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId, passwords, mails, config } = deps;

  app.get(
    '/auth/users/me/',
    {
      schema: {
        tags: ['auth'],
        summary: 'The user of this token',
        response: { 200: UserReplySchema, ...errorReplies(401) },
      },
    },
    async (request) => showUser(db, request.caller.userId),
  );

  app.post(
    '/auth/users/set_password/',
    {
      schema: {
        tags: ['auth'],
        summary: 'Change the password; all other sessions end, this one gets a new refresh token',
        body: SetPasswordBodySchema,
        response: { 200: SetPasswordReplySchema, ...errorReplies(400, 401) },
      },
    },
    async (request, reply) => {
      const { userId, sessionId, account } = request.caller;
      const { current_password, new_password } = request.body;
      const { email } = await confirmPassword(deps, request, current_password);
      const fault = passwordFault(new_password, email);
      if (fault) throw invalidField('new_password', fault);
      const refresh = createRefreshToken(sessionId);
      await setPassword(
        db,
        { userId, accountId: account.id, sessionId },
        await passwords.hash(new_password),
        refresh.stored,
        auditOf(createId, request, {
          action: 'user.password_set',
          target: userId,
          ...(await mails.notice(request, userId, { kind: 'password_changed' })),
        }),
      );
      if (!(await isCookieSession(db, sessionId))) return { success: true as const, refresh: refresh.token };
      setRefreshCookie(request, reply, refresh.token, config.REFRESH_TOKEN_SECONDS);
      return { success: true as const };
    },
  );
}
