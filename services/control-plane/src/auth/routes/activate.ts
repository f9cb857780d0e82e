import { AUTH_ROUTES } from '@verdict/contracts/routes/auth-routes.js';
import { readMailToken, takeMailToken } from '@verdict/db/people/mail-tokens.js';
import { createUser, isUser } from '@verdict/db/people/users.js';
import { DEFAULT_PLAN } from '@verdict/domain/plans.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField, linkInvalid } from '@verdict/service-kit/errors.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import { showUser } from '../../account/routes/show-user.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { newDevice, readDeviceCookie, setDeviceCookie } from '../device-cookie.js';
import { mailboxOfUser } from '../judge-sign-up.js';
import { hashLinkToken } from '../link-token.js';
import { strangerAt } from '../passwords.js';

/**
 * Turns a registration into a user. It needs the password too, so that registering with a foreign address gains
 * nothing from its owner's click.
 */
export function activateRoute(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId, passwords, loginGuard } = deps;
  attach(app, AUTH_ROUTES.activate, async (request, reply) => {
    const hash = hashLinkToken(request.body.token);
    const pending = await readMailToken(db, hash, 'registration');
    if (!pending?.password_hash) throw linkInvalid();
    const { email, name, password_hash: passwordHash } = pending;
    const device = readDeviceCookie(request) ?? newDevice();
    const attempt = await loginGuard.attempt(email, { ip: request.ip, device });
    if (
      !(await passwords.matches(
        passwordHash,
        request.body.password,
        strangerAt(request.ip, whileOpen(reply)),
      ))
    )
      throw invalidField('password', 'is not the password you registered with');
    if (!(await takeMailToken(db, hash, 'registration'))) throw linkInvalid();
    const userId = createId('usr');
    const accountId = createId('acc');
    const created = await createUser(
      db,
      {
        ...{ userId, accountId, email, name, passwordHash, plan: DEFAULT_PLAN, verified: true },
        mailbox: mailboxOfUser(deps, email),
      },
      auditOf(createId, request, { action: 'user.registered', userId }),
    );
    if (!created && !(await isUser(db, email)))
      throw invalidField('email', 'is registered already, in another spelling');
    if (!created) throw linkInvalid();
    await attempt.succeeded(device);
    setDeviceCookie(request, reply, device);
    await deps.project(accountId).catch(() => undefined);
    return reply.code(201).send(await showUser(db, userId, accountId));
  });
}
