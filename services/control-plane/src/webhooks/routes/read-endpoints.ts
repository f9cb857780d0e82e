import { IdParamsSchema } from '@verdict/contracts/dashboard/common.js';
import { EndpointReplySchema, EndpointsReplySchema } from '@verdict/contracts/dashboard/webhooks-api.js';
import { ENDPOINTS_PER_ACCOUNT_MAX } from '@verdict/db/webhooks/webhook-endpoints.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { nothingHere, ownId } from '../../http/own-id.js';

export function readEndpointsRoutes(app: ControlPlaneApp): void {
  app.get(
    '/webhooks/endpoints/',
    {
      schema: {
        tags: ['webhooks'],
        summary: 'List the webhook endpoints',
        description: 'Secrets are not shown.',
        response: { 200: EndpointsReplySchema, ...errorReplies(401) },
      },
    },
    async (request) => ({
      success: true as const,
      endpoints: await request.caller.account.endpoints.list(),
      endpoints_max: ENDPOINTS_PER_ACCOUNT_MAX,
    }),
  );

  app.get(
    '/webhooks/endpoints/:id/',
    {
      schema: {
        tags: ['webhooks'],
        summary: 'One endpoint',
        description: 'Without its secret.',
        params: IdParamsSchema,
        response: { 200: EndpointReplySchema, ...errorReplies(401, 404) },
      },
    },
    async (request) => {
      const endpoint = await request.caller.account.endpoints.find(ownId('whe', request.params.id));
      if (!endpoint) throw nothingHere();
      return { success: true as const, endpoint };
    },
  );
}
