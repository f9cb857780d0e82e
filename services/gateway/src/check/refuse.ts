import type { Outcome } from '@verdict/admission/submission.js';
import { UPGRADE_URL } from '@verdict/contracts/api-paths.js';
import type { Caller } from '@verdict/redis-store/step.js';
import type { AppError } from '@verdict/service-kit/app-error.js';
import { keyInactive, quotaExceeded, rateLimited } from '@verdict/service-kit/errors.js';
import { secondsUntilReset } from './quota-month.js';

export type Refusal = Exclude<Outcome, { readonly state: 'granted' | 'replay' }>;

/** The public reason of a refusal. */
export function refuse(refusal: Refusal, { accountId, keyId }: Caller): AppError {
  if (refusal.state === 'forbidden') return keyInactive({ accountId, keyId });
  const { account, used } = refusal;
  const state = { checksUsed: used, checksLimit: account.limit, upgradeUrl: UPGRADE_URL };
  return refusal.state === 'quota'
    ? quotaExceeded(state, secondsUntilReset(account.nowMicros))
    : rateLimited(state, Math.max(1, Math.ceil(account.rateWaitMicros / 1_000_000)));
}
