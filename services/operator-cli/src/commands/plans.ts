import { formatAmount } from '@verdict/domain/money.js';
import type { Command } from 'commander';
import { plans } from '../config.js';
import type { Context } from '../context.js';

export function addPlans(program: Command, { output }: Context): void {
  program
    .command('plans')
    .description('show the plans with quotas and prices')
    .action(() => {
      const rows = [...plans().values()].map((plan) => ({
        plan: plan.name,
        checks_per_month: plan.checksPerMonth,
        checks_per_second: plan.checksPerSecond,
        retention_days: plan.retentionDays,
        price_month: formatAmount(plan.priceMonth, plan.currency, ''),
        price_per_1000_over: formatAmount(plan.pricePer1000Over, plan.currency, ''),
        overage: plan.overage,
        checks_cap: plan.checksLimit,
        currency: plan.currency,
      }));
      output().rows(rows, 'There are no plans.');
    });
}
