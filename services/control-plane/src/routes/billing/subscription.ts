import { ChangePlanBodySchema, SubscriptionReplySchema } from '@verdict/contracts/dashboard/billing-api.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { limitsOf } from '../../projection/project-account.js';
import { currentUsage } from '../../usage/current-usage.js';

export function subscriptionRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { createId, plans, projectOrPending } = deps;

  async function show(accountId: string, plan: string) {
    return {
      success: true as const,
      ...(await currentUsage(deps, accountId, plan)),
      checks_per_second: limitsOf(plans, plan).checksPerSecond,
      plans: [...plans.values()].map(({ name, checksPerMonth, checksPerSecond, retentionDays }) => ({
        name,
        checks_per_month: checksPerMonth,
        checks_per_second: checksPerSecond,
        retention_days: retentionDays,
        current: name === plan,
      })),
    };
  }

  app.get(
    '/billing/subscription/',
    {
      schema: {
        tags: ['billing'],
        summary: 'The plan, what is used of it, and the plans there are',
        response: { 200: SubscriptionReplySchema, ...errorReplies(401) },
      },
    },
    async (request) => {
      const { account } = request.caller;
      return show(account.id, await account.subscription.plan());
    },
  );

  app.put(
    '/billing/subscription/',
    {
      schema: {
        tags: ['billing'],
        summary: 'Change the plan; it holds from the next check on',
        body: ChangePlanBodySchema,
        response: { 200: SubscriptionReplySchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { account } = request.caller;
      const { plan } = request.body;
      if (!plans.has(plan)) throw invalidField('plan', `is none of ${[...plans.keys()].join(', ')}`);
      const details = { plan };
      const audit = auditOf(createId, request, {
        action: 'subscription.changed',
        target: account.id,
        details,
      });
      await account.subscription.changePlan(plan, audit);
      await projectOrPending(account.id);
      return show(account.id, plan);
    },
  );
}
