import { POLICY_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import {
  PoliciesQuerySchema,
  PoliciesReplySchema,
  PolicyBodySchema,
  PolicyParamsSchema,
  PolicyReplySchema,
} from '@verdict/contracts/policy.js';
import { POLICIES_MAX, type PolicyRow, type PolicyState } from '@verdict/db/policies/policies.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { nothingHere } from '../../http/own-id.js';
import { pageOf } from '../../http/page-of.js';
import { readRules } from '../read-rules.js';
import { readVersion } from '../read-version.js';

/** Versions of the account's own rules. None of them changes; which is in use, is another route. */
export function policyRoutes(app: ControlPlaneApp, { createId, cursors }: Dependencies): void {
  app.get(
    '/policies/',
    {
      schema: {
        tags: ['policies'],
        summary: 'Versions of the policy, newest first',
        description: 'Says which version is live, and which is judged in its shadow.',
        querystring: PoliciesQuerySchema,
        response: { 200: PoliciesReplySchema, ...errorReplies(400, 401) },
      },
    },
    async ({ caller: { account }, query }) => {
      const state = await account.policies.state();
      const { rows, ...page } = await pageOf(
        { cursors, listing: 'policies', accountId: account.id, query },
        account.policies.page,
      );
      return { success: true as const, policies: rows.map((row) => show(row, state)), ...state, ...page };
    },
  );

  app.post(
    '/policies/',
    {
      bodyLimit: POLICY_BYTES_MAX,
      schema: {
        tags: ['policies'],
        summary: 'Save rules as the next version',
        description: 'Saving makes nothing live. A refusal names the rule and the field.',
        body: PolicyBodySchema,
        response: { 201: PolicyReplySchema, ...errorReplies(400, 401) },
      },
    },
    async (request, reply) => {
      const { account, userId } = request.caller;
      const { rules, note } = readRules(request.body);
      const audit = auditOf(createId, request, { action: 'policy.created' });
      const created = await account.policies.create({ rules, note, createdBy: userId }, audit);
      if (!created) throw invalidField('rules', `your account has ${POLICIES_MAX} versions, the most it may`);
      const policy = show(created, await account.policies.state());
      return reply.code(201).send({ success: true, policy });
    },
  );

  app.get(
    '/policies/:version/',
    {
      schema: {
        tags: ['policies'],
        summary: 'One version of the policy',
        description: 'Its rules in their order.',
        params: PolicyParamsSchema,
        response: { 200: PolicyReplySchema, ...errorReplies(401, 404) },
      },
    },
    async ({ caller: { account }, params }) => {
      const found = await account.policies.find(readVersion(params.version));
      if (!found) throw nothingHere();
      return { success: true as const, policy: show(found, await account.policies.state()) };
    },
  );
}

const show = ({ id: _, ...policy }: PolicyRow, { live, shadow }: PolicyState) => ({
  ...policy,
  state:
    policy.version === live
      ? ('live' as const)
      : policy.version === shadow
        ? ('shadow' as const)
        : ('idle' as const),
});
