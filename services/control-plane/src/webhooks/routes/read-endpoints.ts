import { WEBHOOK_ROUTES } from '@verdict/contracts/routes/webhook-routes.js';
import { ENDPOINTS_PER_ACCOUNT_MAX } from '@verdict/db/webhooks/webhook-endpoints.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';

export function readEndpointsRoutes(app: ControlPlaneApp): void {
  attach(app, WEBHOOK_ROUTES.endpoints, async (request) => ({
    success: true,
    endpoints: await request.caller.account.endpoints.list(),
    endpoints_max: ENDPOINTS_PER_ACCOUNT_MAX,
  }));

  attach(app, WEBHOOK_ROUTES.endpoint, async (request) => {
    const endpoint = await request.caller.account.endpoints.find(ownId('whe', request.params.id));
    if (!endpoint) throw nothingHere();
    return { success: true, endpoint };
  });
}
