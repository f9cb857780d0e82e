import { POLICY_ROUTES } from '@verdict/contracts/routes/policy-routes.js';
import { POLICIES_MAX, type PolicyState } from '@verdict/db/policies/policies.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere } from '../../http/own-id.js';
import { pageOf } from '../../http/page-of.js';
import { readRules } from '../read-rules.js';
import { readVersion } from '../read-version.js';

/** Versions of the account's own rules. None of them changes; which is in use, is another route. */
export function policyRoutes(app: ControlPlaneApp, { createId, cursors }: Dependencies): void {
  attach(app, POLICY_ROUTES.list, async ({ keyCaller: { account }, query }) => {
    const state = await account.policies.state();
    const { rows, ...page } = await pageOf(
      { cursors, listing: 'policies', accountId: account.id, query },
      account.policies.page,
    );
    return { success: true, policies: rows.map((row) => show(row, state)), ...state, ...page };
  });

  attach(app, POLICY_ROUTES.save, async (request, reply) => {
    const { account, userId } = request.keyCaller;
    const { rules, note } = readRules(request.body);
    const audit = auditOf(createId, request, { action: 'policy.created' });
    const created = await account.policies.create({ rules, note, createdBy: userId }, audit);
    if (!created) throw invalidField('rules', `your account has ${POLICIES_MAX} versions, the most it may`);
    const policy = show(created, await account.policies.state());
    return reply.code(201).send({ success: true, policy });
  });

  attach(app, POLICY_ROUTES.find, async ({ keyCaller: { account }, params }) => {
    const found = await account.policies.find(readVersion(params.version));
    if (!found) throw nothingHere();
    return { success: true, policy: show(found, await account.policies.state()) };
  });
}

const show = <Row extends { readonly id: string; readonly version: number }>(
  { id: _, ...policy }: Row,
  { live, shadow }: PolicyState,
) => ({
  ...policy,
  state:
    policy.version === live
      ? ('live' as const)
      : policy.version === shadow
        ? ('shadow' as const)
        : ('idle' as const),
});
