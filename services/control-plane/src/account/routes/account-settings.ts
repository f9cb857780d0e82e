import { ACCOUNT_ROUTES } from '@verdict/contracts/routes/account-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';

export function accountSettingsRoutes(
  app: ControlPlaneApp,
  { createId, projectOrPending }: Dependencies,
): void {
  attach(app, ACCOUNT_ROUTES.settings, async ({ caller }) => ({
    success: true,
    ...(await caller.account.settings.read()),
  }));

  attach(app, ACCOUNT_ROUTES.changeSettings, async (request) => {
    const { account } = request.caller;
    const audit = auditOf(createId, request, {
      action: 'account.settings_changed',
      target: account.id,
      details: request.body,
    });
    await account.settings.change(request.body, audit);
    await projectOrPending(account.id);
    return { success: true, ...(await account.settings.read()) };
  });
}
