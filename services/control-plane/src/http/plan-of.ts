import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { Plan, Plans } from '@verdict/domain/plans.js';
import { limitsOf } from '../projection/project-account.js';

/** The account's current entitlements. */
export const planOf = async (plans: Plans, account: AccountScope): Promise<Plan> =>
  limitsOf(plans, await account.subscription.plan());
