import type { AccountView } from '@verdict/admission/submission.js';
import { secondsUntilReset } from './quota-month.js';

/** How much is left, of this second and of this month, at no extra round trip. */
export const limitHeaders = (account: AccountView, used: number): Record<string, number> => ({
  'ratelimit-limit': account.rate,
  'ratelimit-remaining': account.rateLeft,
  'ratelimit-reset': 1,
  'x-quota-limit': account.limit,
  'x-quota-remaining': Math.max(0, account.limit - used),
  'x-quota-reset': secondsUntilReset(account.nowMicros),
});
