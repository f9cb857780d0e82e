import { BILLING_ROUTES } from '@verdict/contracts/routes/billing-routes.js';
import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import { monthOf } from '@verdict/domain/month.js';
import { plansNoSmallerThan } from '@verdict/domain/plans.js';
import { nextPrice } from '@verdict/domain/pricing/next-price.js';
import { pricesIn, termsIn } from '@verdict/domain/pricing/prices-in.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { limitsOf } from '../../projection/project-account.js';
import { currentUsage } from '../../usage/current-usage.js';
import { showPlan } from './show-plan.js';
import { showPlanRequest } from './show-plan-request.js';

export function subscriptionRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { config, createId, plans, projectOrPending } = deps;

  async function show(account: AccountScope) {
    const { subscription } = account;
    const now = new Date();
    const month = monthOf(now);
    const terms = await subscription.terms();
    const prices = pricesIn(plans, month, termsIn(terms, month));
    const limits = await subscription.limits();
    const { plan } = limits;
    const { checksPerMonth, checksPerSecond, overage } = limitsOf(plans, plan);
    return {
      success: true as const,
      ...(await currentUsage(deps, account.id, limits)),
      checks_included: checksPerMonth,
      checks_per_second: checksPerSecond,
      overage,
      plan_changes: config.PLAN_CHANGES,
      next_plan: await subscription.nextPlan(),
      plan_request: showPlanRequest(await subscription.latestRequest()),
      plans: [...prices.values()].map((one) =>
        showPlan(one, plan, nextPrice(plans, one.name, month, terms), now),
      ),
    };
  }

  attach(app, BILLING_ROUTES.subscription, async (request) => show(request.caller.account));

  attach(app, BILLING_ROUTES.changePlan, async (request, reply) => {
    const { account, userId } = request.caller;
    const { plan } = request.body;
    if (!plans.has(plan)) throw invalidField('plan', `is none of ${[...plans.keys()].join(', ')}`);
    const target = account.id;
    const present = await account.subscription.plan();
    if (config.PLAN_CHANGES === 'operator' && plan !== present) {
      const audit = auditOf(createId, request, {
        action: 'subscription.requested',
        target,
        details: { from: present, to: plan },
      });
      await account.subscription.request(createId('plr'), plan, userId, audit);
      return reply.code(202).send(await show(account));
    }
    if (plan === present) {
      await account.subscription.withdrawRequest(
        auditOf(createId, request, { action: 'subscription.request_withdrawn', target, details: { plan } }),
      );
    }
    await account.subscription.changePlan(
      { plan, downFrom: plansNoSmallerThan(pricesIn(plans, monthOf(new Date())), plan), madeBy: userId },
      auditOf(createId, request, { action: 'subscription.changed', target, details: { plan } }),
    );
    await projectOrPending(account.id);
    return show(account);
  });
}
