import { ACCOUNT_ROUTES } from '@verdict/contracts/routes/account-routes.js';
import { isCookieSession } from '@verdict/db/people/sessions.js';
import { setPassword, setUserEmail, setUserName } from '@verdict/db/people/users.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import { confirmIdentity } from '../../auth/confirm-password.js';
import { refuseDisposable, signUpMailbox } from '../../auth/judge-sign-up.js';
import { passwordFault } from '../../auth/password-fault.js';
import { knownUser } from '../../auth/passwords.js';
import { setRefreshCookie } from '../../auth/refresh-cookie.js';
import { createRefreshToken } from '../../auth/refresh-token.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { showUser } from './show-user.js';

export function meRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId, passwords, mails, config } = deps;

  attach(app, ACCOUNT_ROUTES.me, async ({ caller: { userId, account, sessionId } }) =>
    showUser(db, userId, account.id, sessionId),
  );

  attach(app, ACCOUNT_ROUTES.changeMe, async (request) => {
    const { userId, account, sessionId } = request.caller;
    const audit = auditOf(createId, request, { action: 'user.name_set', target: userId });
    await setUserName(db, { userId, accountId: account.id }, request.body.name, audit);
    return showUser(db, userId, account.id, sessionId);
  });

  attach(app, ACCOUNT_ROUTES.changeEmail, async (request, reply) => {
    const { userId, account, sessionId } = request.caller;
    await confirmIdentity(deps, request, reply, request.body);
    const parsed = parseEmail(request.body.email);
    if (!parsed.ok) throw invalidField('email', parsed.message);
    const email = parsed.address.canonical;
    await refuseDisposable(deps, parsed.address, { ip: request.ip, signal: whileOpen(reply) });
    if (mails.on) {
      await deps.mailGuard(email, request.ip);
      await mails.sendLink(request, 'address', { email, name: userId });
      return reply.code(202).send({ success: true, mail: 'sent' });
    }
    const audit = auditOf(createId, request, { action: 'user.email_changed', target: userId });
    const to = { email, mailbox: signUpMailbox(deps, parsed.address) };
    if (!(await setUserEmail(db, { userId, accountId: account.id }, to, false, audit)))
      throw invalidField('email', 'is already registered');
    return showUser(db, userId, account.id, sessionId);
  });

  attach(app, ACCOUNT_ROUTES.setPassword, async (request, reply) => {
    const { userId, sessionId, account } = request.caller;
    const { new_password } = request.body;
    const { email } = await confirmIdentity(deps, request, reply, request.body);
    const fault = passwordFault(new_password, email);
    if (fault) throw invalidField('new_password', fault);
    const refresh = createRefreshToken(sessionId);
    await setPassword(
      db,
      { userId, accountId: account.id, sessionId },
      await passwords.hash(new_password, knownUser(userId, whileOpen(reply))),
      refresh.stored,
      auditOf(createId, request, {
        action: 'user.password_set',
        target: userId,
        ...(await mails.notice(request, userId, { kind: 'password_changed' })),
      }),
    );
    if (!(await isCookieSession(db, sessionId))) return { success: true, refresh: refresh.token };
    setRefreshCookie(request, reply, refresh.token, config.REFRESH_TOKEN_SECONDS);
    return { success: true };
  });
}
