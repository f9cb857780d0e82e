import type { AccountView, Outcome } from '@verdict/admission/submission.js';
import { UPGRADE_URL } from '@verdict/contracts/api-paths.js';
import type { Caller } from '@verdict/redis-store/step.js';
import type { AppError } from '@verdict/service-kit/app-error.js';
import {
  addressNotAllowed,
  invalidField,
  keyExpired,
  keyInactive,
  keyQuotaExceeded,
  quotaExceeded,
  rateLimited,
  rememberedTooMany,
  scopeMissing,
} from '@verdict/service-kit/errors.js';
import { secondsUntilReset } from './quota-month.js';

export type Refusal = Exclude<Outcome, { readonly state: 'granted' | 'replay' }>;

/** The public reason why so many checks were refused together. */
export function refuse(refusal: Refusal, { accountId, keyId }: Caller, checks: number): AppError {
  if (!('account' in refusal)) return FORBIDDEN[refusal.state]({ accountId, keyId });
  const { account, used } = refusal;
  if (refusal.state === 'key_quota') return keyUsedUp(account, used);
  if (refusal.state === 'rate' && checks > account.rate) {
    // No waiting would help: more than a second of the rate never passes at once.
    return invalidField('items', `at most ${account.rate} checks at once on your plan`);
  }
  const state = { checksUsed: used, checksLimit: account.limit, upgradeUrl: UPGRADE_URL };
  if (refusal.state === 'remembered')
    return rememberedTooMany(state, secondsUntilTomorrow(account.nowMicros));
  return refusal.state === 'quota'
    ? quotaExceeded(state, secondsUntilReset(account.nowMicros))
    : rateLimited(state, Math.max(1, Math.ceil(account.rateWaitMicros / 1_000_000)));
}

/** The month of the key is over before that of its account. */
export const keyUsedUp = ({ key, nowMicros }: AccountView, used: number): AppError =>
  keyQuotaExceeded(
    { checksUsed: used, checksLimit: key?.limit ?? used, upgradeUrl: UPGRADE_URL },
    secondsUntilReset(nowMicros),
  );

const DAY_SECONDS = 86_400;

const secondsUntilTomorrow = (nowMicros: number): number =>
  DAY_SECONDS - (Math.floor(nowMicros / 1_000_000) % DAY_SECONDS);

const FORBIDDEN = {
  forbidden: keyInactive,
  expired: keyExpired,
  address: addressNotAllowed,
  scope: scopeMissing,
} as const;
