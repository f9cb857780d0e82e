import { ACCOUNT_ROUTES } from '@verdict/contracts/routes/account-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';

/** Nothing that a stranger could not find out by trying. */
export function settingsRoute(app: ControlPlaneApp, { config, mails, sso }: Dependencies): void {
  attach(app, ACCOUNT_ROUTES.serverSettings, async () => ({
    success: true,
    signup: config.SIGNUP,
    mail: mails.on,
    plan_changes: config.PLAN_CHANGES,
    operator_sso: sso.operators !== null,
  }));
}
