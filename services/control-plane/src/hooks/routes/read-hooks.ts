import type { HookDeliveryView } from '@verdict/contracts/dashboard/hooks-api.js';
import { HOOK_ROUTES } from '@verdict/contracts/routes/hook-routes.js';
import { HOOKS_PER_ACCOUNT_MAX } from '@verdict/db/hooks/hooks.js';
import { readHookDeliveries } from '@verdict/redis-store/hook-deliveries.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { showHook } from '../show-hook.js';

export function readHooksRoutes(app: ControlPlaneApp, stores: Pick<Dependencies, 'redis' | 'shards'>): void {
  attach(app, HOOK_ROUTES.list, async (request) => ({
    success: true,
    hooks: (await request.caller.account.hooks.list()).map(showHook),
    hooks_max: HOOKS_PER_ACCOUNT_MAX,
  }));

  attach(app, HOOK_ROUTES.read, async (request) => {
    const hook = await request.caller.account.hooks.find(ownId('hok', request.params.id));
    if (!hook) throw nothingHere();
    return { success: true, hook: showHook(hook) };
  });

  attach(app, HOOK_ROUTES.deliveries, async (request) => {
    const { account } = request.caller;
    const hook = await account.hooks.find(ownId('hok', request.params.id));
    if (!hook) throw nothingHere();
    const deliveries = (await readHookDeliveries(stores, account.id, hook.id)) as HookDeliveryView[];
    return { success: true, deliveries };
  });
}
