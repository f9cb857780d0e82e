import { WEBHOOK_ROUTES } from '@verdict/contracts/routes/webhook-routes.js';
import { DEFAULT_WEBHOOK_EVENTS } from '@verdict/contracts/webhook-events.js';
import { ENDPOINTS_PER_ACCOUNT_MAX } from '@verdict/db/webhooks/webhook-endpoints.js';
import { createWebhookSecret } from '@verdict/domain/webhook-secret.js';
import { parseWebhookUrl } from '@verdict/domain/webhook-url.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField, invalidRequest } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { requireWebhooks } from './require-webhooks.js';

const DAY_SECONDS = 86_400;

export function changeEndpointsRoutes(app: ControlPlaneApp, { createId, webhooks }: Dependencies): void {
  const judgedUrl = (text: string): string => {
    const result = parseWebhookUrl(text, webhooks.policy);
    if (!result.ok) throw invalidField('url', result.message);
    return result.url;
  };

  attach(app, WEBHOOK_ROUTES.createEndpoint, async (request, reply) => {
    const sealer = requireWebhooks(webhooks);
    const { account } = request.caller;
    const id = createId('whe');
    const url = judgedUrl(request.body.url);
    const { description = null, events = DEFAULT_WEBHOOK_EVENTS } = request.body;
    const secret = createWebhookSecret();
    const audit = auditOf(createId, request, {
      action: 'webhook.created',
      target: id,
      details: { url, events },
    });
    const endpoint = await account.endpoints.create(
      { id, url, description, events, secret: sealer.seal(secret, id) },
      audit,
    );
    if (!endpoint) {
      throw invalidRequest(
        `An account has at most ${ENDPOINTS_PER_ACCOUNT_MAX} webhook endpoints; delete one before adding another.`,
      );
    }
    return reply.code(201).send({ success: true, endpoint, secret });
  });

  attach(app, WEBHOOK_ROUTES.updateEndpoint, async (request) => {
    const id = ownId('whe', request.params.id);
    const { url, ...rest } = request.body;
    const patch = url === undefined ? rest : { ...rest, url: judgedUrl(url) };
    const audit = auditOf(createId, request, { action: 'webhook.updated', target: id, details: patch });
    const endpoint = await request.caller.account.endpoints.update(id, patch, audit);
    if (!endpoint) throw nothingHere();
    return { success: true, endpoint };
  });

  attach(app, WEBHOOK_ROUTES.deleteEndpoint, async (request) => {
    const id = ownId('whe', request.params.id);
    const audit = auditOf(createId, request, { action: 'webhook.deleted', target: id });
    if (!(await request.caller.account.endpoints.remove(id, audit))) throw nothingHere();
    return { success: true };
  });

  attach(
    app,
    WEBHOOK_ROUTES.rollEndpoint,
    async (request) => {
      const sealer = requireWebhooks(webhooks);
      const id = ownId('whe', request.params.id);
      const overlap_seconds = request.body.overlap_seconds ?? DAY_SECONDS;
      const secret = createWebhookSecret();
      const audit = auditOf(createId, request, {
        action: 'webhook.rolled',
        target: id,
        details: { overlap_seconds },
      });
      const { endpoints } = request.caller.account;
      const rolled = await endpoints.roll(id, sealer.seal(secret, id), overlap_seconds, audit);
      if (!rolled) throw nothingHere();
      const { old_secret_expires_at, ...endpoint } = rolled;
      return { success: true, endpoint, secret, old_secret_expires_at };
    },
    {
      // Everything in it may be left out, so it may be left out itself.
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
  );
}
