import { AUTH_ROUTES } from '@verdict/contracts/routes/auth-routes.js';
import { endSessions, listSessions } from '@verdict/db/people/sessions.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';

/** The sessions of a user. Ending one takes effect immediately, because every request looks it up. */
export function sessionRoutes(app: ControlPlaneApp, { db, createId }: Dependencies): void {
  attach(app, AUTH_ROUTES.sessions, async (request) => {
    const { userId, sessionId } = request.caller;
    const rows = await listSessions(db, userId);
    const sessions = rows.map((row) => ({ ...row, current: row.id === sessionId }));
    return { success: true, sessions };
  });

  attach(app, AUTH_ROUTES.endOtherSessions, async (request) => {
    const { userId, sessionId, account } = request.caller;
    const audit = auditOf(createId, request, { action: 'session.others_ended', target: userId });
    const owner = { userId, accountId: account.id };
    return { success: true, ended: await endSessions(db, owner, { allBut: sessionId }, audit) };
  });

  attach(app, AUTH_ROUTES.endSession, async (request) => {
    const { userId, account } = request.caller;
    const id = ownId('ses', request.params.id);
    const audit = auditOf(createId, request, { action: 'session.ended', target: id });
    const ended = await endSessions(db, { userId, accountId: account.id }, { only: id }, audit);
    if (ended === 0) throw nothingHere();
    return { success: true, ended };
  });
}
