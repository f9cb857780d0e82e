import type { AccountView } from '@verdict/admission/submission.js';
import { secondsUntilReset } from './quota-month.js';

/** How much is left, of this second and of this month, at no extra round trip. */
export function limitHeaders(account: AccountView, used: number): Record<string, number> {
  const { limit, left } = tighter(account, used);
  return {
    'ratelimit-limit': account.rate,
    'ratelimit-remaining': account.rateLeft,
    'ratelimit-reset': secondsUntilWhole(account),
    'x-quota-limit': limit,
    'x-quota-remaining': left,
    'x-quota-reset': secondsUntilReset(account.nowMicros),
  };
}

/** A second, or more where checks with long list look-ups spent ahead. */
function secondsUntilWhole({ rate, rateWaitMicros }: AccountView): number {
  if (rateWaitMicros === 0) return 1;
  return Math.max(1, Math.ceil(rateWaitMicros / 1_000_000 + 1 - 1 / rate));
}

/** A key with its own quota may run out before or after its account. */
function tighter({ limit, key }: AccountView, used: number): { limit: number; left: number } {
  const left = Math.max(0, limit - used);
  if (!key || key.limit - key.used >= left) return { limit, left };
  return { limit: key.limit, left: Math.max(0, key.limit - key.used) };
}
