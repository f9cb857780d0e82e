import { SetPasswordBodySchema, UserReplySchema } from '@verdict/contracts/dashboard/auth-api.js';
import { DoneSchema } from '@verdict/contracts/dashboard/common.js';
import { findPasswordHash, findUser, setPassword } from '@verdict/db/users.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import { passwordFault } from '../../auth/password-fault.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { showUser } from './show-user.js';

export function meRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId, passwords, loginGuard } = deps;

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
        summary: 'Change the password; all other sessions end',
        body: SetPasswordBodySchema,
        response: { 200: DoneSchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { userId, sessionId, account } = request.caller;
      const { current_password, new_password } = request.body;
      const email = (await findUser(db, userId))?.email ?? '';
      // A stolen token must not become a place to guess passwords at.
      const attempt = await loginGuard.attempt(email, request.ip);
      if (!(await passwords.matches(await findPasswordHash(db, userId), current_password))) {
        throw invalidField('current_password', 'is wrong');
      }
      await attempt.succeeded();
      const fault = passwordFault(new_password, email);
      if (fault) throw invalidField('new_password', fault);
      await setPassword(
        db,
        { userId, accountId: account.id, sessionId },
        await passwords.hash(new_password),
        auditOf(createId, request, { action: 'user.password_set', target: userId }),
      );
      return { success: true as const };
    },
  );
}
