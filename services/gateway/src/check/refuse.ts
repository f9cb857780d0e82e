import type { Outcome } from '@verdict/admission/submission.js';
import { UPGRADE_URL } from '@verdict/contracts/api-paths.js';
import type { Caller } from '@verdict/redis-store/step.js';
import type { AppError } from '@verdict/service-kit/app-error.js';
import { invalidField, keyInactive, quotaExceeded, rateLimited } from '@verdict/service-kit/errors.js';
import { secondsUntilReset } from './quota-month.js';

export type Refusal = Exclude<Outcome, { readonly state: 'granted' | 'replay' }>;

/** The public reason why so many checks were refused together. */
export function refuse(refusal: Refusal, { accountId, keyId }: Caller, checks: number): AppError {
  if (refusal.state === 'forbidden') return keyInactive({ accountId, keyId });
  const { account, used } = refusal;
  if (refusal.state === 'rate' && checks > account.rate) {
    // No waiting would help: more than a second of the rate never passes at once.
    return invalidField('items', `at most ${account.rate} checks at once on your plan`);
  }
  const state = { checksUsed: used, checksLimit: account.limit, upgradeUrl: UPGRADE_URL };
  return refusal.state === 'quota'
    ? quotaExceeded(state, secondsUntilReset(account.nowMicros))
    : rateLimited(state, Math.max(1, Math.ceil(account.rateWaitMicros / 1_000_000)));
}
