import { BILLING_ROUTES } from '@verdict/contracts/routes/billing-routes.js';
import { monthOf } from '@verdict/domain/month.js';
import { expectedUse } from '@verdict/domain/pricing/expected-use.js';
import { priceMonth } from '@verdict/domain/pricing/price-month.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { currentUsage } from '../../usage/current-usage.js';

/** The running month, priced by the rules that close it. */
export function upcomingRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  attach(app, BILLING_ROUTES.upcoming, async (request) => {
    const { account } = request.caller;
    const now = new Date();
    const month = monthOf(now);
    const running = await account.subscription.runningMonth(month);
    const usage = await currentUsage(deps, account.id, await account.subscription.limits());
    const priced = (used: number) => running && priceMonth(month, { ...running, used }, deps.plans);
    const bill = priced(usage.checks_used);
    const used = expectedUse(usage.checks_used, month, now, usage.checks_limit);
    const expected = priced(used);
    if (!bill || !expected) throw new Error(`${account.id} has no plan in ${month}`);
    const { currency, lines, subtotal, tax_rate, tax, total } = bill;
    return {
      success: true,
      upcoming: {
        ...{ month, closes_at: usage.resets_at, used: usage.checks_used, currency },
        ...{ lines: [...lines], subtotal, tax_rate, tax, total, expected: { used, total: expected.total } },
      },
    };
  });
}
