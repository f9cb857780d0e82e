import { ConfirmedBodySchema } from '@verdict/contracts/dashboard/auth-api.js';
import { DoneSchema } from '@verdict/contracts/dashboard/common.js';
import { confirmIdentity } from '../../auth/confirm-password.js';
import { clearRefreshCookie } from '../../auth/refresh-cookie.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { deleteEverywhere } from '../delete-everywhere.js';

export function deleteMeRoute(app: ControlPlaneApp, deps: Dependencies): void {
  app.delete(
    '/auth/users/me/',
    {
      schema: {
        tags: ['auth'],
        summary: 'Delete the account with its keys, lists and addresses; what is billed stays',
        description: 'Asks for the password. Keys stop working immediately; statements and invoices stay.',
        body: ConfirmedBodySchema,
        response: { 200: DoneSchema, ...errorReplies(400, 401, 'login_locked', 'change_pending') },
      },
    },
    async (request, reply) => {
      await confirmIdentity(deps, request, request.body);
      const { id } = request.caller.account;
      await deleteEverywhere(deps, id, {
        suspended: auditOf(deps.createId, request, { action: 'account.suspended', target: id }),
        deleted: auditOf(deps.createId, request, { action: 'account.deleted', target: id }),
      });
      clearRefreshCookie(request, reply);
      return { success: true as const };
    },
  );
}
