import { AUTH_ROUTES } from '@verdict/contracts/routes/auth-routes.js';
import { deleteMailTokens, readMailToken, takeMailToken } from '@verdict/db/people/mail-tokens.js';
import { resetPassword } from '@verdict/db/people/reset-password.js';
import { findLogin } from '@verdict/db/people/users.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField, linkInvalid } from '@verdict/service-kit/errors.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { hashLinkToken } from '../link-token.js';
import { passwordFault } from '../password-fault.js';
import { strangerAt } from '../passwords.js';

/** A new password by mail. Two-factor authentication stays on, because a mailbox alone must not suffice. */
export function resetPasswordRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId, passwords, mails } = deps;
  attach(app, AUTH_ROUTES.askForReset, async (request, reply) => {
    const parsed = parseEmail(request.body.email);
    if (!parsed.ok) throw invalidField('email', parsed.message);
    const email = parsed.address.canonical;
    await deps.mailGuard(email, request.ip);
    await mails.sendLink(request, 'password_reset', { email });
    return reply.code(202).send({ success: true, mail: 'sent' });
  });

  attach(app, AUTH_ROUTES.resetPassword, async (request, reply) => {
    const { token, new_password } = request.body;
    const hash = hashLinkToken(token);
    const pending = await readMailToken(db, hash, 'password_reset');
    if (!pending) throw linkInvalid();
    // A refused password does not use up the link.
    const fault = passwordFault(new_password, pending.email);
    if (fault) throw invalidField('new_password', fault);
    const passwordHash = await passwords.hash(new_password, strangerAt(request.ip, whileOpen(reply)));
    const login = await findLogin(db, pending.email);
    if (!login || !(await takeMailToken(db, hash, 'password_reset'))) throw linkInvalid();
    const { userId } = login;
    const audit = auditOf(createId, request, {
      action: 'user.password_reset',
      target: userId,
      userId,
      ...(await mails.notice(request, userId, { kind: 'password_changed' })),
    });
    await resetPassword(db, login, passwordHash, audit, true);
    await deleteMailTokens(db, pending.email);
    return { success: true };
  });
}
