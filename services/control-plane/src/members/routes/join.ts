import { MEMBER_ROUTES } from '@verdict/contracts/routes/member-routes.js';
import { findInvitation, joinAsNewUser } from '@verdict/db/people/invitations.js';
import { attach } from '@verdict/service-kit/attach.js';
import { forbidden, invalidField, linkInvalid } from '@verdict/service-kit/errors.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import { showUser } from '../../account/routes/show-user.js';
import { mailboxOfUser } from '../../auth/judge-sign-up.js';
import { hashLinkToken } from '../../auth/link-token.js';
import { passwordFault } from '../../auth/password-fault.js';
import { strangerAt } from '../../auth/passwords.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';

/** Turns an invitation into a user. It works where registration is closed, because a member vouches for them. */
export function joinRoute(app: ControlPlaneApp, { passwords, ...deps }: Dependencies): void {
  const { db, createId } = deps;
  attach(app, MEMBER_ROUTES.join, async (request, reply) => {
    const { token, password, name = null } = request.body;
    const tokenHash = hashLinkToken(token);
    const invitation = await findInvitation(db, tokenHash);
    if (!invitation) throw linkInvalid();
    const { email, account_id: accountId, registered } = invitation;
    if (registered) throw forbidden('This address has a login. Log in, then open the link again.');
    const fault = passwordFault(password, email);
    if (fault) throw invalidField('password', fault);
    const userId = createId('usr');
    const passwordHash = await passwords.hash(password, strangerAt(request.ip, whileOpen(reply)));
    const joined = await joinAsNewUser(
      db,
      tokenHash,
      { userId, accountId, mailbox: mailboxOfUser(deps, email), name, passwordHash },
      auditOf(createId, request, { action: 'member.joined', target: userId, userId }),
    );
    if (!joined) throw linkInvalid();
    return reply.code(201).send(await showUser(db, userId, accountId));
  });
}
