import { listAccounts } from '@verdict/db/operator-accounts.js';
import { changePlan } from '@verdict/db/plan-changes.js';
import { plansNoSmallerThan } from '@verdict/domain/plans.js';
import type { Command } from 'commander';
import { operator, plans } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';
import { requireAccount } from '../require-account.js';

export function addAccounts(program: Command, { output }: Context): void {
  const accounts = program.command('accounts').description('who the customers are, and on which plan');
  accounts.command('list').action(async () => {
    output().rows(await withDatabase(listAccounts), 'There are no accounts.');
  });
  accounts
    .command('set-plan <account> <plan>')
    .description(
      'change the plan, or grant the one that was asked for: a larger one at once, a smaller one from the next month',
    )
    .action(async (account: string, plan: string) => {
      const all = plans();
      if (!all.has(plan)) throw new Error(`there is no plan "${plan}"; see verdict plans`);
      await withDatabase(async (db) => {
        const { id, plan: present } = await requireAccount(db, account);
        const wish = { plan, downFrom: plansNoSmallerThan(all, plan), madeBy: operator() };
        const { rows } = await changePlan(db, id, wish, operatorAudit('subscription.changed', id, { plan }));
        const changed = rows[0];
        output().object({
          account: id,
          plan: changed?.plan ?? present,
          next_plan: changed?.next_plan ?? '',
          effective_at: changed?.effective_at ?? '',
          changed: changed !== undefined,
        });
      });
    });
}
