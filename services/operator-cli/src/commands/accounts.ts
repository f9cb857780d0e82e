import { changePlan, listAccounts } from '@verdict/db/operator-accounts.js';
import type { Command } from 'commander';
import { plans } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';

export function addAccounts(program: Command, { output }: Context): void {
  const accounts = program.command('accounts').description('who the customers are, and on which plan');
  accounts.command('list').action(async () => {
    output().rows(await withDatabase(listAccounts), 'There are no accounts.');
  });
  accounts
    .command('set-plan <account> <plan>')
    .description('change the plan; the gateways follow as soon as the control plane has projected it')
    .action(async (account: string, plan: string) => {
      if (!plans().has(plan)) throw new Error(`there is no plan "${plan}"; see verdict plans`);
      const changed = await withDatabase((db) => changePlan(db, account, plan));
      if (!changed) throw new Error(`there is no account ${account}`);
      output().object({ account, plan });
    });
}
