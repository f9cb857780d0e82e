import { IdParamsSchema } from '@verdict/contracts/dashboard/common.js';
import {
  REPLAY_EVENTS_MAX,
  ReplayBodySchema,
  ReplayReplySchema,
  RetryReplySchema,
  TEST_MESSAGES_PER_MINUTE,
  TestEndpointReplySchema,
} from '@verdict/contracts/dashboard/webhooks-api.js';
import { WEBHOOK_TEST_EVENT } from '@verdict/contracts/webhook-events.js';
import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { WebhookEndpointRow } from '@verdict/db/webhooks/webhook-endpoints.js';
import { conflict, invalidField, invalidRequest, tooManyTests } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { showDelivery } from './show-delivery.js';

/** Messages that a user sends by hand. */
export function sendAgainRoutes(app: ControlPlaneApp, { createId }: Dependencies): void {
  app.post(
    '/webhooks/endpoints/:id/test/',
    {
      schema: {
        tags: ['webhooks'],
        summary: `Send a ${WEBHOOK_TEST_EVENT} message to an endpoint, whatever it is subscribed to`,
        description: `At most ${TEST_MESSAGES_PER_MINUTE} a minute for an account; then 429.`,
        params: IdParamsSchema,
        response: { 202: TestEndpointReplySchema, ...errorReplies(401, 404, 'endpoint_disabled') },
      },
    },
    async (request, reply) => {
      const { account } = request.caller;
      const endpoint = await enabledEndpoint(account, ownId('whe', request.params.id));
      const delivery_id = await account.deliveries.test(endpoint.id, WEBHOOK_TEST_EVENT);
      if (delivery_id === undefined) throw endpointDisabled();
      if (delivery_id === 'too many') throw tooManyTests(TEST_MESSAGES_PER_MINUTE);
      return reply.code(202).send({ success: true, delivery_id });
    },
  );

  app.post(
    '/webhooks/endpoints/:id/replay/',
    {
      schema: {
        tags: ['webhooks'],
        summary: 'Send the events of a time again, those too that arrived before',
        description: `Messages keep their webhook-id, so a receiver that remembers ids loses nothing and does nothing twice. At most ${REPLAY_EVENTS_MAX} events at a time.`,
        params: IdParamsSchema,
        body: ReplayBodySchema,
        response: { 202: ReplayReplySchema, ...errorReplies(400, 401, 404, 'endpoint_disabled') },
      },
    },
    async (request, reply) => {
      const id = ownId('whe', request.params.id);
      const { account } = request.caller;
      const from = momentOf('from', request.body.from);
      const to = momentOf('to', request.body.to);
      if (from >= to) throw invalidField('to', 'must be later than from');
      await enabledEndpoint(account, id);
      const events = await account.deliveries.countEvents(id, from, to);
      if (events > REPLAY_EVENTS_MAX) {
        throw invalidRequest(
          `There are ${events} events in this time, more than the ${REPLAY_EVENTS_MAX} of one replay; ask for a shorter time.`,
        );
      }
      const audit = auditOf(createId, request, {
        action: 'webhook.replayed',
        target: id,
        details: { ...request.body },
      });
      const queued = await account.deliveries.replay(id, from, to, audit);
      return reply.code(202).send({ success: true, queued });
    },
  );

  app.post(
    '/webhooks/deliveries/:id/retry/',
    {
      schema: {
        tags: ['webhooks'],
        summary: 'Send a message again immediately, with the whole retry schedule',
        description: 'With the same `webhook-id`, so receivers can tell a repetition.',
        params: IdParamsSchema,
        response: { 202: RetryReplySchema, ...errorReplies(401, 404, 'endpoint_disabled') },
      },
    },
    async (request, reply) => {
      const id = ownId('whd', request.params.id);
      const { deliveries } = request.caller.account;
      const isSent = await deliveries.retry(id);
      const found = await deliveries.find(id);
      if (!found) throw nothingHere();
      if (!isSent) throw endpointDisabled();
      return reply.code(202).send({ success: true, delivery: showDelivery(found) });
    },
  );
}

async function enabledEndpoint(account: AccountScope, id: string): Promise<WebhookEndpointRow> {
  const endpoint = await account.endpoints.find(id);
  if (!endpoint) throw nothingHere();
  if (endpoint.status === 'disabled') throw endpointDisabled();
  return endpoint;
}

const endpointDisabled = () => conflict('endpoint_disabled', 'The endpoint is disabled; enable it first.');

function momentOf(field: string, text: string): Date {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw invalidField(field, 'is not a date and time');
  return moment;
}
