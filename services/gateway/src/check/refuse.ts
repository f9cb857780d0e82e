import type { AccountView, Outcome } from '@verdict/admission/submission.js';
import type { Caller } from '@verdict/redis-store/step.js';
import type { AppError } from '@verdict/service-kit/app-error.js';
import {
  addressNotAllowed,
  invalidField,
  keyExpired,
  keyInactive,
  keyNotOwned,
  scopeMissing,
} from '@verdict/service-kit/errors.js';
import { testsUsedUp } from '@verdict/service-kit/tests-used-up.js';
import { keyQuotaExceeded, quotaExceeded, rateLimited, rememberedTooMany } from './limit-errors.js';
import { limitHeaders } from './limit-headers.js';

export type Refusal = Exclude<Outcome, { readonly state: 'granted' | 'replay' | 'needs' }>;

/** The public reason why these checks were refused together. */
export function refuse(refusal: Refusal, caller: Caller, checks: number): AppError {
  if (!('account' in refusal)) return refuseKey(refusal, caller);
  const { account, used } = refusal;
  if (refusal.state === 'key_quota') return keyQuotaExceeded(account, used);
  if (refusal.state === 'rate' && checks > account.rate) {
    // Waiting would not help: more than a second of the rate never passes.
    return invalidField('items', `has more than the ${account.rate} checks a second of your plan`);
  }
  if (refusal.state === 'quota') return quotaExceeded(account, used);
  if (refusal.state === 'tests')
    return testsUsedUp(used, refusal.limit, secondsUntilTomorrow(account.nowMicros));
  const usage = { used, limit: account.limit };
  const headers = limitHeaders(account, used);
  if (refusal.state === 'remembered')
    return rememberedTooMany(usage, secondsUntilTomorrow(account.nowMicros), headers);
  return rateLimited(usage, Math.max(1, Math.ceil(account.rateWaitMicros / 1_000_000)), headers);
}

function refuseKey(
  refusal: Exclude<Refusal, { readonly account: AccountView }>,
  { accountId, keyId, credential }: Caller,
): AppError {
  const detail = { accountId, keyId };
  // A token that names a foreign key gets a specific error; a secret that was valid once is inactive.
  if (refusal.state === 'forbidden' && refusal.unknown && credential === keyId) return keyNotOwned(detail);
  return FORBIDDEN[refusal.state](detail);
}

const DAY_SECONDS = 86_400;

const secondsUntilTomorrow = (nowMicros: number): number =>
  DAY_SECONDS - (Math.floor(nowMicros / 1_000_000) % DAY_SECONDS);

const FORBIDDEN = {
  forbidden: keyInactive,
  expired: keyExpired,
  address: addressNotAllowed,
  scope: scopeMissing,
} as const;
