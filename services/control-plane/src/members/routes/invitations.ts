import { MEMBER_ROUTES } from '@verdict/contracts/routes/member-routes.js';
import {
  findInvitation,
  joinAsUser,
  MEMBERS_MAX,
  type OpenInvitation,
} from '@verdict/db/people/invitations.js';
import { findUser } from '@verdict/db/people/users.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { ROLES, type Role } from '@verdict/domain/role.js';
import { LINK_SECONDS } from '@verdict/mail/mail.js';
import { attach } from '@verdict/service-kit/attach.js';
import { forbidden, invalidField, linkInvalid, roleMissing } from '@verdict/service-kit/errors.js';
import { createLinkToken, hashLinkToken } from '../../auth/link-token.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';

/** Admins give and take every role below owner. */
const grantedBy = (role: Role): readonly Role[] =>
  role === 'owner' ? ROLES : ROLES.filter((one) => one !== 'owner');

/** Inviting people into an account, and accepting with a login. */
export function invitationRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId, mails } = deps;

  attach(app, MEMBER_ROUTES.invite, async (request, reply) => {
    const { account, userId, role: own } = request.caller;
    const { role } = request.body;
    if (!grantedBy(own).includes(role)) throw roleMissing(own, ['owner']);
    const parsed = parseEmail(request.body.email);
    if (!parsed.ok) throw invalidField('email', parsed.message);
    const email = parsed.address.canonical;
    if (mails.on) await deps.mailGuard(email, request.ip, account.id);
    const { token, hash } = createLinkToken();
    const id = createId('inv');
    const invitation = await account.invitations.create(
      {
        id,
        email,
        role,
        tokenHash: hash,
        mailed: mails.on,
        invitedBy: userId,
        lifeSeconds: LINK_SECONDS.invitation,
      },
      auditOf(createId, request, {
        action: 'member.invited',
        target: id,
        details: { email, role },
        ...(await mails.invitation(email, { token, role, invitedBy: userId })),
      }),
    );
    if (!invitation)
      throw invalidField(
        'email',
        `is a member already, or the account has ${MEMBERS_MAX} members and invitations`,
      );
    return reply
      .code(201)
      .send({ success: true, invitation, link: mails.on ? null : `/join#token=${token}` });
  });

  attach(app, MEMBER_ROUTES.withdraw, async (request) => {
    const { account, role } = request.caller;
    const id = ownId('inv', request.params.id);
    const audit = auditOf(createId, request, { action: 'member.invitation_withdrawn', target: id });
    if (!(await account.invitations.withdraw(id, grantedBy(role), audit))) throw nothingHere();
    return { success: true };
  });

  attach(app, MEMBER_ROUTES.accept, async (request) => {
    const { userId } = request.caller;
    const tokenHash = hashLinkToken(request.body.token);
    const [invitation, user] = await Promise.all([findInvitation(db, tokenHash), findUser(db, userId)]);
    if (!invitation || !user) throw linkInvalid();
    if (invitation.email !== user.email)
      throw forbidden(`This invitation is for ${invitation.email}. Log in with that address to accept it.`);
    const audit = auditOf(createId, request, { action: 'member.joined', target: userId });
    if (!(await joinAsUser(db, { tokenHash, accountId: invitation.account_id, userId }, audit)))
      throw linkInvalid();
    return showInvitation(invitation);
  });

  attach(app, MEMBER_ROUTES.showInvitation, async (request) => {
    const invitation = await findInvitation(db, hashLinkToken(request.body.token));
    if (!invitation) throw linkInvalid();
    return showInvitation(invitation);
  });
}

const showInvitation = ({ email, role, account_id, account_name, registered }: OpenInvitation) => ({
  success: true as const,
  email,
  role,
  account: { id: account_id, name: account_name },
  registered,
});
