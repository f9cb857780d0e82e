import type { Command } from 'commander';
import { plans } from '../config.js';
import type { Context } from '../context.js';

export function addPlans(program: Command, { output }: Context): void {
  program
    .command('plans')
    .description('what each plan entitles to')
    .action(() => {
      const rows = [...plans().values()].map((plan) => ({
        plan: plan.name,
        checks_per_month: plan.checksPerMonth,
        checks_per_second: plan.checksPerSecond,
        retention_days: plan.retentionDays,
      }));
      output().rows(rows, 'There are no plans.');
    });
}
