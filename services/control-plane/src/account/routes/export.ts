import { ACCOUNT_ROUTES } from '@verdict/contracts/routes/account-routes.js';
import { appendAudit } from '@verdict/db/accounts/audit-events.js';
import { findUser } from '@verdict/db/people/users.js';
import { attach } from '@verdict/service-kit/attach.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { downloadTurns } from '../../http/download-turns.js';
import { sendNdjson } from '../../http/send-ndjson.js';
import { exportLines } from '../export-lines.js';

export function exportRoute(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId, search } = deps;
  attach(app, ACCOUNT_ROUTES.export, async (request, reply) => {
    const { account, userId } = request.caller;
    const user = await findUser(db, userId);
    if (!user) throw new Error(`user ${userId} vanished`);
    const audit = auditOf(createId, request, { action: 'account.exported', target: account.id });
    await appendAudit(db, account.id, audit);
    // The file has begun when its first check is read, so no page of them is refused.
    const wait = { signal: whileOpen(reply), isUnderWay: true };
    const lines = exportLines(db, account, user, {
      turn: downloadTurns(deps, account.id, reply),
      search: (read) => search(account.id, read, wait),
    });
    return sendNdjson(reply, 'verdict-export.ndjson', lines);
  });
}
