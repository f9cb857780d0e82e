import { HOOK_MESSAGE, type HookKind } from '@verdict/contracts/hook-kinds.js';
import { HOOK_ROUTES } from '@verdict/contracts/routes/hook-routes.js';
import { HOOKS_PER_ACCOUNT_MAX } from '@verdict/db/hooks/hooks.js';
import type { HookProvider } from '@verdict/domain/hooks/hook-provider.js';
import { HOOK_PROVIDERS } from '@verdict/domain/hooks/hook-providers.js';
import { forgetHookDeliveries } from '@verdict/redis-store/hook-deliveries.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField, invalidRequest } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { requireWebhooks } from '../../webhooks/routes/require-webhooks.js';
import { showHook } from '../show-hook.js';

/** Each of these is answered only when every gateway already acts on it. */
export function changeHooksRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { createId, webhooks, projectOrPending, redis, shards } = deps;

  attach(app, HOOK_ROUTES.create, async (request, reply) => {
    const sealer = requireWebhooks(webhooks);
    const { account } = request.caller;
    const id = createId('hok');
    const { kind, key_id, refuse = ['block'], on_error = 'allow', message = HOOK_MESSAGE } = request.body;
    const secret = request.body.secret ?? providerOf(kind).createSecret();
    refuseSecret(kind, secret);
    const terms = { kind, key_id, refuse, on_error, message };
    const audit = auditOf(createId, request, { action: 'hook.created', target: id, details: terms });
    const { rows } = await account.hooks.create({ id, ...terms, secret: sealer.seal(secret, id) }, audit);
    const [hook] = rows;
    if (!hook) {
      if ((await account.hooks.list()).length >= HOOKS_PER_ACCOUNT_MAX) {
        throw invalidRequest(
          `An account has at most ${HOOKS_PER_ACCOUNT_MAX} sign-up hooks; delete one before adding another.`,
        );
      }
      throw keyUnknown();
    }
    await projectOrPending(account.id);
    return reply.code(201).send({ success: true, hook: showHook(hook), secret });
  });

  attach(app, HOOK_ROUTES.update, async (request) => {
    const id = ownId('hok', request.params.id);
    const { account } = request.caller;
    const { secret, ...terms } = request.body;
    const present = await account.hooks.find(id);
    if (!present) throw nothingHere();
    if (secret !== undefined) refuseSecret(present.kind, secret);
    const audit = auditOf(createId, request, {
      action: 'hook.updated',
      target: id,
      details: { ...terms, ...(secret !== undefined && { secret: 'changed' }) },
    });
    const patch = {
      ...terms,
      ...(secret !== undefined && { secret: requireWebhooks(webhooks).seal(secret, id) }),
    };
    const [hook] = (await account.hooks.update(id, patch, audit)).rows;
    if (!hook) throw (await account.hooks.find(id)) ? keyUnknown() : nothingHere();
    await projectOrPending(account.id);
    return { success: true, hook: showHook(hook) };
  });

  attach(app, HOOK_ROUTES.delete, async (request) => {
    const id = ownId('hok', request.params.id);
    const { account } = request.caller;
    const audit = auditOf(createId, request, { action: 'hook.deleted', target: id });
    if ((await account.hooks.remove(id, audit)).rows.length === 0) throw nothingHere();
    await projectOrPending(account.id);
    // They expire in a week if Redis is away now.
    await forgetHookDeliveries({ redis, shards }, account.id, id).catch(() => undefined);
    return { success: true };
  });
}

const providerOf = (kind: HookKind): HookProvider => HOOK_PROVIDERS[kind];

function refuseSecret(kind: HookKind, secret: string): void {
  const fault = providerOf(kind).secretFault(secret);
  if (fault !== null) throw invalidField('secret', fault);
}

const keyUnknown = () =>
  invalidField('key_id', 'is not one of your API keys with the scope check, or it was revoked');
