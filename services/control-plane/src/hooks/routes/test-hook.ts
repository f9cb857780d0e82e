import { HOOK_ROUTES } from '@verdict/contracts/routes/hook-routes.js';
import type { HookProvider } from '@verdict/domain/hooks/hook-provider.js';
import { HOOK_PROVIDERS } from '@verdict/domain/hooks/hook-providers.js';
import { attach } from '@verdict/service-kit/attach.js';
import { notSetUp } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { requireWebhooks } from '../../webhooks/routes/require-webhooks.js';
import { hookUrl } from '../show-hook.js';

/** Of documentation's networks: it belongs to no visitor. */
const TEST_IP = '203.0.113.7';

/** Signs the provider's documented request. The browser sends it, so a test takes the way that the provider's requests take. */
export function testHookRoute(
  app: ControlPlaneApp,
  { createId, webhooks }: Pick<Dependencies, 'createId' | 'webhooks'>,
): void {
  attach(app, HOOK_ROUTES.test, async (request) => {
    const sealer = requireWebhooks(webhooks);
    const { hooks } = request.caller.account;
    const id = ownId('hok', request.params.id);
    const [hook, sealed] = await Promise.all([hooks.find(id), hooks.secret(id)]);
    if (!hook || sealed === undefined) throw nothingHere();
    const secret = sealer.open(sealed, id);
    if (secret === null)
      throw notSetUp('The server cannot read the secret of this hook: its SECRETS_KEY is missing.');
    const provider: HookProvider = HOOK_PROVIDERS[hook.kind];
    const eventId = `test-${createId('evt')}`;
    const nowMs = Date.now();
    const payload = provider.sample({ id: eventId, email: request.body.email, ip: TEST_IP }, nowMs);
    const body = JSON.stringify(payload);
    const headers = { 'content-type': 'application/json', ...provider.sign(body, eventId, secret, nowMs) };
    return { success: true, url: hookUrl(id), headers, body };
  });
}
