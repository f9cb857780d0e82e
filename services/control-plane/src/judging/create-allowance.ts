import type { AccountStore } from '@verdict/redis-store/shards.js';
import { takeTry } from '@verdict/redis-store/take-try.js';
import { testsUsedUp } from '@verdict/service-kit/tests-used-up.js';

interface AllowanceOptions {
  readonly store: AccountStore;
  /** Brings an account into Redis that is not there. */
  readonly project: (accountId: string) => Promise<void>;
}

/** Spends the day's allowance for a verdict without a check, and throws a 429 where it is used up. */
export function createAllowance({ store, project }: AllowanceOptions) {
  return async (accountId: string): Promise<void> => {
    let taken = await takeTry(store, accountId);
    if (taken === 'absent') {
      await project(accountId);
      taken = await takeTry(store, accountId);
    }
    if (taken === 'absent') throw new Error('the account is not in Redis');
    if (taken !== 'taken') throw testsUsedUp(taken.used, taken.limit, taken.retryAfterSeconds);
  };
}
