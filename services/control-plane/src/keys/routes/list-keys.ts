import { REVOKED_KEYS_MAX } from '@verdict/contracts/dashboard/keys-api.js';
import { KEY_ROUTES } from '@verdict/contracts/routes/key-routes.js';
import { KEYS_PER_ACCOUNT_MAX } from '@verdict/db/keys/api-keys.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';

export function listKeysRoutes(app: ControlPlaneApp): void {
  attach(app, KEY_ROUTES.list, async (request) => ({
    success: true,
    keys: await request.caller.account.keys.list(request.query.status === 'all' ? REVOKED_KEYS_MAX : 0),
    keys_max: KEYS_PER_ACCOUNT_MAX,
  }));

  attach(app, KEY_ROUTES.find, async (request) => {
    const key = await request.caller.account.keys.find(ownId('key', request.params.id));
    if (!key) throw nothingHere();
    return { success: true, key };
  });

  attach(app, KEY_ROUTES.networks, async (request) => {
    const { account } = request.caller;
    const id = ownId('key', request.params.id);
    if (!(await account.keys.find(id))) throw nothingHere();
    return { success: true, networks: await account.keyNetworks.list(id) };
  });
}
