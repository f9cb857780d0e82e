import { appendAudit } from '@verdict/db/accounts/audit-events.js';
import { findUser } from '@verdict/db/people/users.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { NdjsonReplySchema, sendNdjson } from '../../http/send-ndjson.js';
import { exportLines } from '../export-lines.js';

export function exportRoute(app: ControlPlaneApp, { db, createId }: Dependencies): void {
  app.get(
    '/dashboard/export/',
    {
      schema: {
        tags: ['auth'],
        summary: 'Everything that is kept of the account, as NDJSON',
        description: 'A stream of JSON objects; `type` names each one. It may be long.',
        response: { 200: NdjsonReplySchema, ...errorReplies(401) },
      },
    },
    async (request, reply) => {
      const { account, userId } = request.caller;
      const user = await findUser(db, userId);
      if (!user) throw new Error(`user ${userId} vanished`);
      const audit = auditOf(createId, request, { action: 'account.exported', target: account.id });
      await appendAudit(db, account.id, audit);
      return sendNdjson(reply, 'verdict-export.ndjson', exportLines(db, account, user));
    },
  );
}
