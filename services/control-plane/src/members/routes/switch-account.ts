import { MEMBER_ROUTES } from '@verdict/contracts/routes/member-routes.js';
import { listMemberships } from '@verdict/db/people/memberships.js';
import { switchSession } from '@verdict/db/people/sessions.js';
import { attach } from '@verdict/service-kit/attach.js';
import { forbidden } from '@verdict/service-kit/errors.js';
import { signAccessToken } from '../../auth/tokens.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere } from '../../http/own-id.js';

/** Moves a login to another account of its user. */
export function switchAccountRoute(app: ControlPlaneApp, { db, createId }: Dependencies): void {
  attach(app, MEMBER_ROUTES.switchAccount, async (request) => {
    const { userId, sessionId } = request.caller;
    const { account_id: accountId } = request.body;
    const audit = auditOf(createId, request, { action: 'session.switched', target: sessionId });
    if (!(await switchSession(db, { sessionId, userId, accountId }, audit))) {
      const memberships = await listMemberships(db, userId);
      throw memberships.some(({ id }) => id === accountId) ? loginNeeded() : nothingHere();
    }
    return { success: true, access: signAccessToken(app, { sub: userId, acc: accountId, sid: sessionId }) };
  });
}

/** A provider vouches for its own account, and an account that demands its provider takes no password. */
const loginNeeded = () => forbidden('Log out, then log in to that account in the way that it asks for.');
