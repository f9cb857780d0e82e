import { MEMBER_ROUTES } from '@verdict/contracts/routes/member-routes.js';
import type { MemberChange } from '@verdict/db/people/members.js';
import { attach } from '@verdict/service-kit/attach.js';
import { lastOwner, roleMissing } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { Caller, ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';

/** The members of an account. A change holds with the answer, because every request reads the role. */
export function memberRoutes(app: ControlPlaneApp, { createId }: Dependencies): void {
  attach(app, MEMBER_ROUTES.list, async ({ caller: { account } }) => {
    const [members, invitations] = await Promise.all([account.members.list(), account.invitations.list()]);
    return { success: true, members, invitations };
  });

  attach(app, MEMBER_ROUTES.change, async (request) => {
    const { caller, body } = request;
    const id = ownId('usr', request.params.id);
    const details = { role: body.role };
    const audit = auditOf(createId, request, { action: 'member.role_changed', target: id, details });
    refuse(await caller.account.members.setRole(id, body.role, caller.userId, audit), caller);
    return { success: true };
  });

  attach(app, MEMBER_ROUTES.leave, async (request) => {
    const { caller } = request;
    const audit = auditOf(createId, request, { action: 'member.left', target: caller.userId });
    refuse(await caller.account.members.remove(caller.userId, caller.userId, audit), caller);
    return { success: true };
  });

  attach(app, MEMBER_ROUTES.remove, async (request) => {
    const { caller } = request;
    const id = ownId('usr', request.params.id);
    const audit = auditOf(createId, request, { action: 'member.removed', target: id });
    refuse(await caller.account.members.remove(id, caller.userId, audit), caller);
    return { success: true };
  });
}

function refuse(change: MemberChange, { role }: Caller): void {
  if (change === 'missing') throw nothingHere();
  if (change === 'last_owner') throw lastOwner();
  if (change === 'protected') throw roleMissing(role, ['owner']);
}
