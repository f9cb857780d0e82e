import { REPLAY_EVENTS_MAX, TEST_MESSAGES_PER_MINUTE } from '@verdict/contracts/dashboard/webhooks-api.js';
import { WEBHOOK_ROUTES } from '@verdict/contracts/routes/webhook-routes.js';
import { WEBHOOK_TEST_EVENT } from '@verdict/contracts/webhook-events.js';
import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { WebhookEndpointRow } from '@verdict/db/webhooks/webhook-endpoints.js';
import { attach } from '@verdict/service-kit/attach.js';
import { conflict, invalidField, invalidRequest, tooManyTests } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { showDelivery } from './show-delivery.js';

/** Messages that a user sends by hand. */
export function sendAgainRoutes(app: ControlPlaneApp, { createId }: Dependencies): void {
  attach(app, WEBHOOK_ROUTES.testEndpoint, async (request, reply) => {
    const { account } = request.caller;
    const endpoint = await enabledEndpoint(account, ownId('whe', request.params.id));
    const delivery_id = await account.deliveries.test(endpoint.id, WEBHOOK_TEST_EVENT);
    if (delivery_id === undefined) throw endpointDisabled();
    if (delivery_id === 'too many') throw tooManyTests(TEST_MESSAGES_PER_MINUTE);
    return reply.code(202).send({ success: true, delivery_id });
  });

  attach(app, WEBHOOK_ROUTES.replay, async (request, reply) => {
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
  });

  attach(app, WEBHOOK_ROUTES.retryDelivery, async (request, reply) => {
    const id = ownId('whd', request.params.id);
    const { deliveries } = request.caller.account;
    const isSent = await deliveries.retry(id);
    const found = await deliveries.find(id);
    if (!found) throw nothingHere();
    if (!isSent) throw endpointDisabled();
    return reply.code(202).send({ success: true, delivery: showDelivery(found) });
  });
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
