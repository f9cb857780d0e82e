import { AuditQuerySchema, AuditReplySchema } from '@verdict/contracts/dashboard/audit-api.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { pageOf } from '../../http/page-of.js';

export function auditRoute(app: ControlPlaneApp, { cursors }: Dependencies): void {
  app.get(
    '/dashboard/audit/',
    {
      schema: {
        tags: ['audit'],
        summary: 'Who changed what, when and from where; newest first',
        querystring: AuditQuerySchema,
        response: { 200: AuditReplySchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { account } = request.caller;
      const { rows, ...paging } = await pageOf(
        { cursors, listing: 'audit', accountId: account.id, query: request.query },
        (before, countMax) => account.audit.page(before, countMax),
      );
      return { success: true as const, events: rows, ...paging };
    },
  );
}
