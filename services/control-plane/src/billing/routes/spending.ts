import { BILLING_ROUTES } from '@verdict/contracts/routes/billing-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';

export function spendingRoutes(app: ControlPlaneApp, { createId, projectOrPending }: Dependencies): void {
  attach(app, BILLING_ROUTES.spending, async ({ caller }) => ({
    success: true,
    ...(await caller.account.spending.read()),
  }));

  attach(app, BILLING_ROUTES.setSpending, async (request) => {
    const { account } = request.caller;
    const audit = auditOf(createId, request, {
      action: 'billing.limits_set',
      target: account.id,
      details: request.body,
    });
    const { rows } = await account.spending.set(request.body, audit);
    await projectOrPending(account.id);
    return { success: true, ...(rows[0] ?? request.body) };
  });
}
