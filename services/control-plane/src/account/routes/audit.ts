import {
  AuditCsvQuerySchema,
  AuditQuerySchema,
  AuditReplySchema,
} from '@verdict/contracts/dashboard/audit-api.js';
import type { AuditRow } from '@verdict/db/accounts/audit-events.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { CsvReplySchema } from '../../http/csv-reply.js';
import { errorReplies } from '../../http/error-replies.js';
import { pageOf } from '../../http/page-of.js';
import { everyRow, sendCsv } from '../../http/send-csv.js';

const CSV_PAGE_SIZE = 500;
const CSV_COLUMNS = ['created_at', 'action', 'target', 'details', 'user_id', 'ip', 'request_id', 'id'];

export function auditRoutes(app: ControlPlaneApp, { cursors }: Dependencies): void {
  app.get(
    '/dashboard/audit/',
    {
      schema: {
        tags: ['audit'],
        summary: 'List changes with author, time and origin, newest first',
        description: 'Pages with `limit` and `cursor`; `subject` narrows it.',
        querystring: AuditQuerySchema,
        response: { 200: AuditReplySchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { account } = request.caller;
      const { rows, ...paging } = await pageOf(
        { cursors, listing: 'audit', accountId: account.id, query: request.query },
        (before, countMax) => account.audit.page(request.query.subject, before, countMax),
      );
      return { success: true as const, events: rows, ...paging };
    },
  );

  app.get(
    '/dashboard/audit.csv',
    {
      schema: {
        tags: ['audit'],
        summary: 'The audit log as CSV, newest first',
        description: 'Streams as many rows as match.',
        querystring: AuditCsvQuerySchema,
        response: { 200: CsvReplySchema, ...errorReplies(400, 401) },
      },
    },
    async (request, reply) => {
      const { audit } = request.caller.account;
      const rows = everyRow(CSV_PAGE_SIZE, (before, countMax) =>
        audit.page(request.query.subject, before, countMax),
      );
      return sendCsv(reply, 'audit.csv', CSV_COLUMNS, flatten(rows));
    },
  );
}

async function* flatten(rows: AsyncIterable<AuditRow>) {
  for await (const { details, ...row } of rows) yield { ...row, details: JSON.stringify(details) };
}
