import { AUTH_ROUTES } from '@verdict/contracts/routes/auth-routes.js';
import { takeMailToken } from '@verdict/db/people/mail-tokens.js';
import { findOpenedAccount, findUser, setEmailVerified, setUserEmail } from '@verdict/db/people/users.js';
import { attach } from '@verdict/service-kit/attach.js';
import { linkInvalid } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { mailboxOfUser } from '../judge-sign-up.js';
import { hashLinkToken } from '../link-token.js';

/** For users from before there was mail: they ask for a link with their token. */
export function askToConfirmRoute(app: ControlPlaneApp, { db, mails, mailGuard }: Dependencies): void {
  attach(app, AUTH_ROUTES.askToConfirm, async (request, reply) => {
    const user = await findUser(db, request.caller.userId);
    if (!user) throw new Error(`user ${request.caller.userId} vanished`);
    await mailGuard(user.email, request.ip);
    await mails.sendLink(request, 'address', { email: user.email });
    return reply.code(202).send({ success: true, mail: 'sent' });
  });
}

export function confirmAddressRoute(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId } = deps;
  attach(app, AUTH_ROUTES.confirmAddress, async (request) => {
    const taken = await takeMailToken(db, hashLinkToken(request.body.token), 'address');
    if (!taken) throw linkInvalid();
    if (taken.name !== null) {
      await changeEmail(deps, request, taken.name, taken.email);
      return { success: true };
    }
    const audit = auditOf(createId, request, { action: 'user.address_confirmed' });
    if (!(await setEmailVerified(db, taken.email, audit))) throw linkInvalid();
    return { success: true };
  });
}

/** The token names the user who asked for the new address; the old address is told. */
async function changeEmail(
  deps: Dependencies,
  request: FastifyRequest,
  userId: string,
  email: string,
): Promise<void> {
  const { db, createId, mails } = deps;
  const user = await findUser(db, userId);
  if (!user) throw linkInvalid();
  const audit = auditOf(createId, request, {
    action: 'user.email_changed',
    target: userId,
    userId,
    ...(await mails.notice(request, userId, { kind: 'email_changed' })),
  });
  const to = { email, mailbox: mailboxOfUser(deps, email) };
  if (!(await setUserEmail(db, { userId, accountId: await findOpenedAccount(db, userId) }, to, true, audit)))
    throw linkInvalid();
}
