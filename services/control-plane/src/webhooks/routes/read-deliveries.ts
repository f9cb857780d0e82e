import { WEBHOOK_ROUTES } from '@verdict/contracts/routes/webhook-routes.js';
import { webhookBody } from '@verdict/domain/webhook-body.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { pageOf } from '../../http/page-of.js';
import { showDelivery } from './show-delivery.js';

export function readDeliveriesRoutes(app: ControlPlaneApp, { cursors }: Dependencies): void {
  attach(app, WEBHOOK_ROUTES.deliveries, async (request) => {
    const { account } = request.caller;
    const { endpoint, status, event } = request.query;
    const { rows, ...paging } = await pageOf(
      { cursors, listing: 'webhooks/deliveries', accountId: account.id, query: request.query },
      (before, countMax) =>
        account.deliveries.page({
          before,
          countMax,
          ...(endpoint !== undefined && { endpointId: endpoint }),
          ...(status !== undefined && { status }),
          ...(event !== undefined && { type: event }),
        }),
    );
    return { success: true, deliveries: rows, ...paging };
  });

  attach(app, WEBHOOK_ROUTES.delivery, async (request) => {
    const found = await request.caller.account.deliveries.find(ownId('whd', request.params.id));
    if (!found) throw nothingHere();
    const { event_type: type, event_created_at: timestamp, data, tries } = found;
    return {
      success: true,
      delivery: showDelivery(found),
      body: webhookBody({ type, timestamp, data }),
      attempts: tries,
    };
  });
}
