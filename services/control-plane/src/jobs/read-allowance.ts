import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { Dependencies } from '../dependencies.js';
import { limitsOf } from '../projection/project-account.js';
import { currentUsage } from '../usage/current-usage.js';
import type { Allowance } from './show-job.js';

/** The limits that the quote of a job is based on, as the step would see them now. */
export async function readAllowance(deps: Dependencies, account: AccountScope): Promise<Allowance> {
  const limits = await account.subscription.limits();
  const { checks_remaining } = await currentUsage(deps, account.id, limits);
  return { quotaLeft: checks_remaining, checksPerSecond: limitsOf(deps.plans, limits.plan).checksPerSecond };
}
