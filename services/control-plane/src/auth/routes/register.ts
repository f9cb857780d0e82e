import { AUTH_ROUTES } from '@verdict/contracts/routes/auth-routes.js';
import { createUser } from '@verdict/db/people/users.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { DEFAULT_PLAN } from '@verdict/domain/plans.js';
import { attach } from '@verdict/service-kit/attach.js';
import { forbidden, invalidField } from '@verdict/service-kit/errors.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import { showUser } from '../../account/routes/show-user.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import type { LimitRegistrations } from '../../http/limit-registrations.js';
import { refuseDisposable, signUpMailbox } from '../judge-sign-up.js';
import { passwordFault } from '../password-fault.js';
import { strangerAt } from '../passwords.js';

/**
 * With a mail server nothing here depends on whether the address is registered: the answer is the same, and so is what is
 * done for it. There is no user before the link in the mail was opened.
 */
export function registerRoute(app: ControlPlaneApp, deps: Dependencies, limit: LimitRegistrations): void {
  const { db, createId, passwords, config, mails } = deps;
  attach(app, AUTH_ROUTES.register, async (request, reply) => {
    if (config.SIGNUP === 'closed') throw forbidden('Registration is closed on this server.');
    await limit(request);
    const parsed = parseEmail(request.body.email);
    if (!parsed.ok) throw invalidField('email', parsed.message);
    const email = parsed.address.canonical;
    await refuseDisposable(deps, parsed.address, { ip: request.ip, signal: whileOpen(reply) });
    const fault = passwordFault(request.body.password, email);
    if (fault) throw invalidField('password', fault);
    const name = request.body.name ?? null;

    if (mails.on) {
      await deps.mailGuard(email, request.ip);
      const passwordHash = await passwords.hash(
        request.body.password,
        strangerAt(request.ip, whileOpen(reply)),
      );
      await mails.sendLink(request, 'registration', { email, name, passwordHash });
      return reply.code(202).send({ success: true, mail: 'sent' });
    }

    const userId = createId('usr');
    const accountId = createId('acc');
    const passwordHash = await passwords.hash(
      request.body.password,
      strangerAt(request.ip, whileOpen(reply)),
    );
    const created = await createUser(
      db,
      {
        ...{ userId, accountId, email, name, passwordHash, plan: DEFAULT_PLAN },
        mailbox: signUpMailbox(deps, parsed.address),
      },
      auditOf(createId, request, { action: 'user.registered', userId }),
    );
    if (!created) throw invalidField('email', 'is already registered');
    // An account without a key cannot check anything, so if Redis is down the relay writes it later.
    await deps.project(accountId).catch(() => undefined);
    return reply.code(201).send(await showUser(db, userId, accountId));
  });
}
