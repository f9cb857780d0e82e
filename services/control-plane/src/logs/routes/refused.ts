import { LOG_ROUTES } from '@verdict/contracts/routes/log-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';

export function refusedRoute(app: ControlPlaneApp): void {
  attach(app, LOG_ROUTES.refused, async ({ caller }) => ({
    success: true,
    refused: await caller.account.refused.list(),
  }));
}
