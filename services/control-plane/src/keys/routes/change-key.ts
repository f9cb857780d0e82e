import { KEY_ROUTES } from '@verdict/contracts/routes/key-routes.js';
import type { ApiKeyRow, ApiKeys } from '@verdict/db/keys/api-keys.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidRequest, keysUsedUp } from '@verdict/service-kit/errors.js';
import { newSecret } from '../../auth/new-secret.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { planOf } from '../../http/plan-of.js';
import { readKeyTerms, refuseQuota } from '../read-key-terms.js';

const DAY_SECONDS = 86_400;

/** Each of these is answered only when every gateway already acts on it. */
export function changeKeyRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { createId, plans, project, projectOrPending, mails } = deps;

  attach(app, KEY_ROUTES.update, async (request) => {
    const id = ownId('key', request.params.id);
    const { account } = request.caller;
    const { name, active } = request.body;
    const patch = {
      ...(name !== undefined && { name }),
      ...(active !== undefined && { active }),
      ...readKeyTerms(request.body, new Date()),
    };
    const present = await account.keys.find(id);
    if (present?.mode === 'test') refuseQuota(patch);
    const audit = auditOf(createId, request, { action: 'key.updated', target: id, details: patch });
    const { rows } = await account.keys.update(id, patch, audit);
    const key = rows[0] ?? (await refuseRevoked(account.keys, id));
    await projectOrPending(account.id);
    return { success: true, key };
  });

  attach(app, KEY_ROUTES.revoke, async (request) => {
    const id = ownId('key', request.params.id);
    const { account } = request.caller;
    const audit = auditOf(createId, request, { action: 'key.revoked', target: id });
    const { rows } = await account.keys.revoke(id, audit);
    const key = rows[0] ?? (await account.keys.find(id));
    if (!key) throw nothingHere();
    await projectOrPending(account.id);
    return { success: true, key };
  });

  attach(app, KEY_ROUTES.endOldValue, async (request) => {
    const id = ownId('key', request.params.id);
    const { account } = request.caller;
    if (!(await account.keys.find(id))) throw nothingHere();
    const audit = auditOf(createId, request, { action: 'key.old_value_ended', target: id });
    await account.keys.endOldValue(id, audit);
    await projectOrPending(account.id);
    const key = await account.keys.find(id);
    if (!key) throw nothingHere();
    return { success: true, key };
  });

  attach(
    app,
    KEY_ROUTES.roll,
    async (request) => {
      const id = ownId('key', request.params.id);
      const { account } = request.caller;
      const overlap_seconds = request.body.overlap_seconds ?? DAY_SECONDS;
      const present = await account.keys.find(id);
      const secret = newSecret(present?.mode);
      const audit = auditOf(createId, request, {
        action: 'key.rolled',
        target: id,
        details: { overlap_seconds },
        ...(await mails.notice(request, request.caller.userId, {
          kind: 'new_key',
          name: present?.name ?? id,
          rolled: true,
        })),
      });
      const { keysEver } = await planOf(plans, account);
      const { rows } = await account.keys.roll(id, secret, overlap_seconds, keysEver, audit);
      const rolled = rows[0];
      if (!rolled && present && present.status !== 'revoked') throw keysUsedUp(keysEver);
      if (!rolled) return refuseRevoked(account.keys, id);
      const { old_secret_expires_at, ...key } = rolled;
      const in_effect = await project(account.id).catch(() => false);
      return {
        success: true,
        key,
        api_key: secret.value,
        in_effect,
        old_value_expires_at: old_secret_expires_at,
      };
    },
    {
      // Everything in it may be left out, so it may be left out itself.
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
  );
}

async function refuseRevoked(keys: ApiKeys, id: string): Promise<never> {
  const found: ApiKeyRow | undefined = await keys.find(id);
  if (!found) throw nothingHere();
  throw invalidRequest('This API key was revoked. Create a new one.');
}
