import { EndSessionsReplySchema, SessionsReplySchema } from '@verdict/contracts/dashboard/auth-api.js';
import { IdParamsSchema } from '@verdict/contracts/dashboard/common.js';
import { endSessions, listSessions } from '@verdict/db/people/sessions.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { nothingHere, ownId } from '../../http/own-id.js';

/** The sessions of a user. Ending one takes effect immediately, because every request looks it up. */
export function sessionRoutes(app: ControlPlaneApp, { db, createId }: Dependencies): void {
  app.get(
    '/auth/sessions/',
    {
      schema: {
        tags: ['auth'],
        summary: 'The live logins of the user',
        description: 'Each with address, browser and last use; `current` marks this one.',
        response: { 200: SessionsReplySchema, ...errorReplies(401) },
      },
    },
    async (request) => {
      const { userId, sessionId } = request.caller;
      const rows = await listSessions(db, userId);
      const sessions = rows.map((row) => ({ ...row, current: row.id === sessionId }));
      return { success: true as const, sessions };
    },
  );

  app.delete(
    '/auth/sessions/',
    {
      config: { whileSuspended: true },
      schema: {
        tags: ['auth'],
        summary: 'Log out everywhere else',
        description: 'Ends every session but the one that asks.',
        response: { 200: EndSessionsReplySchema, ...errorReplies(401) },
      },
    },
    async (request) => {
      const { userId, sessionId, account } = request.caller;
      const audit = auditOf(createId, request, { action: 'session.others_ended', target: userId });
      const owner = { userId, accountId: account.id };
      return { success: true as const, ended: await endSessions(db, owner, { allBut: sessionId }, audit) };
    },
  );

  app.delete(
    '/auth/sessions/:id/',
    {
      config: { whileSuspended: true },
      schema: {
        tags: ['auth'],
        summary: 'End one login',
        description: 'Its tokens stop working immediately.',
        params: IdParamsSchema,
        response: { 200: EndSessionsReplySchema, ...errorReplies(401, 404) },
      },
    },
    async (request) => {
      const { userId, account } = request.caller;
      const id = ownId('ses', request.params.id);
      const audit = auditOf(createId, request, { action: 'session.ended', target: id });
      const ended = await endSessions(db, { userId, accountId: account.id }, { only: id }, audit);
      if (ended === 0) throw nothingHere();
      return { success: true as const, ended };
    },
  );
}
