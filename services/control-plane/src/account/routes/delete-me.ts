import { ACCOUNT_ROUTES } from '@verdict/contracts/routes/account-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import { confirmIdentity } from '../../auth/confirm-password.js';
import { clearRefreshCookie } from '../../auth/refresh-cookie.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { deleteEverywhere } from '../delete-everywhere.js';

export function deleteMeRoute(app: ControlPlaneApp, deps: Dependencies): void {
  attach(app, ACCOUNT_ROUTES.deleteMe, async (request, reply) => {
    await confirmIdentity(deps, request, reply, request.body);
    const { id } = request.caller.account;
    await deleteEverywhere(deps, id, {
      suspended: auditOf(deps.createId, request, { action: 'account.suspended', target: id }),
      deleted: auditOf(deps.createId, request, { action: 'account.deleted', target: id }),
    });
    clearRefreshCookie(request, reply);
    return { success: true };
  });
}
