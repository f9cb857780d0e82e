import type { AuditSubject } from '@verdict/contracts/dashboard/audit-subjects.js';
import { ACCOUNT_ROUTES } from '@verdict/contracts/routes/account-routes.js';
import type { AuditRow } from '@verdict/db/accounts/audit-events.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { FastifyReply } from 'fastify';
import type { Dependencies } from '../../dependencies.js';
import type { Caller, ControlPlaneApp } from '../../http/control-plane-app.js';
import { downloadTurns } from '../../http/download-turns.js';
import { pageOf } from '../../http/page-of.js';
import { everyRow, sendCsv } from '../../http/send-csv.js';
import { sendNdjson } from '../../http/send-ndjson.js';

const PAGE_SIZE = 500;
const CSV_COLUMNS = [
  'created_at',
  'action',
  'target',
  'details',
  'user_id',
  'user_email',
  'ip',
  'request_id',
  'id',
];

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

  const everyEvent = ({ caller, query }: Asked, reply: FastifyReply) =>
    everyRow(
      PAGE_SIZE,
      (before, countMax) => caller.account.audit.page(query.subject, before, countMax),
      downloadTurns(deps, caller.account.id, reply),
    );

  attach(app, ACCOUNT_ROUTES.auditCsv, async (request, reply) =>
    sendCsv(reply, 'audit.csv', CSV_COLUMNS, flatten(everyEvent(request, reply))),
  );

  attach(app, ACCOUNT_ROUTES.auditNdjson, async (request, reply) =>
    sendNdjson(reply, 'audit.ndjson', lines(everyEvent(request, reply))),
  );
}

interface Asked {
  readonly caller: Caller;
  readonly query: { readonly subject?: AuditSubject };
}

async function* flatten(rows: AsyncIterable<AuditRow>) {
  for await (const { details, ...row } of rows) yield { ...row, details: JSON.stringify(details) };
}

async function* lines(rows: AsyncIterable<AuditRow>) {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}
