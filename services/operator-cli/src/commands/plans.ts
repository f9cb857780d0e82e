import { formatAmount } from '@verdict/domain/money.js';
import { monthOf } from '@verdict/domain/month.js';
import { pricesIn } from '@verdict/domain/pricing/prices-in.js';
import type { Command } from 'commander';
import { plans } from '../config.js';
import type { Context } from '../context.js';

export function addPlans(program: Command, { output }: Context): void {
  program
    .command('plans')
    .description('show the plans with quotas and prices')
    .action(() => {
      const rows = [...pricesIn(plans(), monthOf(new Date())).values()].map((plan) => ({
        plan: plan.name,
        checks_per_month: plan.checksPerMonth,
        checks_per_second: plan.checksPerSecond,
        retention_days: plan.retentionDays,
        price_month: formatAmount(plan.priceMonth, plan.currency, ''),
        price_per_1000_over: formatAmount(plan.pricePer1000Over, plan.currency, ''),
        next_prices_from: plan.priceChanges.find(({ from }) => from > monthOf(new Date()))?.from ?? null,
        overage: plan.overage,
        checks_cap: plan.checksLimit,
        currency: plan.currency,
      }));
      output().rows(rows, 'There are no plans.');
    });
}
