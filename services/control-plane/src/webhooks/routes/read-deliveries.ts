import { IdParamsSchema } from '@verdict/contracts/dashboard/common.js';
import {
  DeliveriesQuerySchema,
  DeliveriesReplySchema,
  DeliveryReplySchema,
} from '@verdict/contracts/dashboard/webhooks-api.js';
import { webhookBody } from '@verdict/domain/webhook-body.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { pageOf } from '../../http/page-of.js';
import { showDelivery } from './show-delivery.js';

export function readDeliveriesRoutes(app: ControlPlaneApp, { cursors }: Dependencies): void {
  app.get(
    '/webhooks/deliveries/',
    {
      schema: {
        tags: ['webhooks'],
        summary: 'List deliveries with their outcomes, newest first',
        description: 'Pages with `limit` and `cursor`. Filter by endpoint, event and outcome.',
        querystring: DeliveriesQuerySchema,
        response: { 200: DeliveriesReplySchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
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
      return { success: true as const, deliveries: rows, ...paging };
    },
  );

  app.get(
    '/webhooks/deliveries/:id/',
    {
      schema: {
        tags: ['webhooks'],
        summary: 'One delivery with every attempt and the first bytes of its answers',
        description: 'Shows why a message did not arrive.',
        params: IdParamsSchema,
        response: { 200: DeliveryReplySchema, ...errorReplies(401, 404) },
      },
    },
    async (request) => {
      const found = await request.caller.account.deliveries.find(ownId('whd', request.params.id));
      if (!found) throw nothingHere();
      const { event_type: type, event_created_at: timestamp, data, tries } = found;
      return {
        success: true as const,
        delivery: showDelivery(found),
        body: webhookBody({ type, timestamp, data }),
        attempts: tries,
      };
    },
  );
}
