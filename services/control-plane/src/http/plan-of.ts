import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { Plan, Plans } from '@verdict/domain/plans.js';
import { limitsOf } from '../projection/project-account.js';

/** What the account is entitled to right now. */
export const planOf = async (plans: Plans, account: AccountScope): Promise<Plan> =>
  limitsOf(plans, await account.subscription.plan());
