import { ACCOUNT_ROUTES } from '@verdict/contracts/routes/account-routes.js';
import type { AuditRow } from '@verdict/db/accounts/audit-events.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { downloadTurns } from '../../http/download-turns.js';
import { pageOf } from '../../http/page-of.js';
import { everyRow, sendCsv } from '../../http/send-csv.js';

const CSV_PAGE_SIZE = 500;
const CSV_COLUMNS = ['created_at', 'action', 'target', 'details', 'user_id', 'ip', 'request_id', 'id'];

export function auditRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { cursors } = deps;
  attach(app, ACCOUNT_ROUTES.audit, async (request) => {
    const { account } = request.caller;
    const { rows, ...paging } = await pageOf(
      { cursors, listing: 'audit', accountId: account.id, query: request.query },
      (before, countMax) => account.audit.page(request.query.subject, before, countMax),
    );
    return { success: true, events: rows, ...paging };
  });

  attach(app, ACCOUNT_ROUTES.auditCsv, async (request, reply) => {
    const { audit, id } = request.caller.account;
    const rows = everyRow(
      CSV_PAGE_SIZE,
      (before, countMax) => audit.page(request.query.subject, before, countMax),
      downloadTurns(deps, id, reply),
    );
    return sendCsv(reply, 'audit.csv', CSV_COLUMNS, flatten(rows));
  });
}

async function* flatten(rows: AsyncIterable<AuditRow>) {
  for await (const { details, ...row } of rows) yield { ...row, details: JSON.stringify(details) };
}
