import { KEY_ROUTES } from '@verdict/contracts/routes/key-routes.js';
import { KEYS_PER_ACCOUNT_MAX, NO_TERMS } from '@verdict/db/keys/api-keys.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidRequest, keysUsedUp } from '@verdict/service-kit/errors.js';
import { newSecret } from '../../auth/new-secret.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { planOf } from '../../http/plan-of.js';
import { readKeyTerms, refuseQuota } from '../read-key-terms.js';

export function createKeyRoute(
  app: ControlPlaneApp,
  { createId, plans, project, mails }: Dependencies,
): void {
  attach(app, KEY_ROUTES.create, async (request, reply) => {
    const { account } = request.caller;
    const id = createId('key');
    const { name, mode = 'live' } = request.body;
    const terms = readKeyTerms(request.body, new Date());
    if (mode === 'test') refuseQuota(terms);
    const secret = newSecret(mode);
    const { keysEver } = await planOf(plans, account);
    const audit = auditOf(createId, request, {
      action: 'key.created',
      target: id,
      details: { name, mode, ...terms },
      ...(await mails.notice(request, request.caller.userId, { kind: 'new_key', name, rolled: false })),
    });
    const { rows } = await account.keys.create(
      id,
      { ...NO_TERMS, name, mode, ...terms },
      secret,
      keysEver,
      audit,
    );
    const [key] = rows;
    if (!key && (await account.keys.made()) >= keysEver) throw keysUsedUp(keysEver);
    if (!key) {
      throw invalidRequest(
        `An account has at most ${KEYS_PER_ACCOUNT_MAX} API keys; revoke one before creating another.`,
      );
    }
    // The value cannot be shown again, so it is shown even when Redis is away; the relay makes it work.
    const in_effect = await project(account.id).catch(() => false);
    return reply.code(201).send({ success: true, key, api_key: secret.value, in_effect });
  });
}
