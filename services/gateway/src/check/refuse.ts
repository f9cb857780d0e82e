import type { AccountView, Outcome } from '@verdict/admission/submission.js';
import { UPGRADE_URL } from '@verdict/contracts/api-paths.js';
import { TEST_CHECKS_PER_DAY } from '@verdict/domain/test-checks.js';
import type { Caller } from '@verdict/redis-store/step.js';
import type { AppError } from '@verdict/service-kit/app-error.js';
import {
  addressNotAllowed,
  invalidField,
  keyExpired,
  keyInactive,
  keyNotOwned,
  keyQuotaExceeded,
  quotaExceeded,
  rateLimited,
  rememberedTooMany,
  scopeMissing,
  testsUsedUp,
} from '@verdict/service-kit/errors.js';
import { limitHeaders } from './limit-headers.js';
import { quotaMonth } from './quota-month.js';

export type Refusal = Exclude<Outcome, { readonly state: 'granted' | 'replay' }>;

/** The public reason why these checks were refused together. */
export function refuse(refusal: Refusal, caller: Caller, checks: number): AppError {
  if (!('account' in refusal)) return refuseKey(refusal, caller);
  const { account, used } = refusal;
  if (refusal.state === 'key_quota') return refuseKeyMonth(account, used);
  if (refusal.state === 'rate' && checks > account.rate) {
    // Waiting would not help: more than a second of the rate never passes.
    return invalidField('items', `has more than the ${account.rate} checks a second of your plan`);
  }
  if (refusal.state === 'quota') return refuseMonth(account, used);
  if (refusal.state === 'tests')
    return testsUsedUp(
      { checksUsed: used, checksLimit: TEST_CHECKS_PER_DAY, upgradeUrl: UPGRADE_URL },
      secondsUntilTomorrow(account.nowMicros),
    );
  const state = { checksUsed: used, checksLimit: account.limit, upgradeUrl: UPGRADE_URL };
  const headers = limitHeaders(account, used);
  if (refusal.state === 'remembered')
    return rememberedTooMany(state, secondsUntilTomorrow(account.nowMicros), headers);
  return rateLimited(state, Math.max(1, Math.ceil(account.rateWaitMicros / 1_000_000)), headers);
}

/** The month is used up. The plan can change at any time, so Retry-After is an hour at most. */
export const refuseMonth = (account: AccountView, used: number): AppError =>
  quotaExceeded(
    { checksUsed: used, checksLimit: account.limit, upgradeUrl: UPGRADE_URL },
    { ...momentsOf(account), headers: limitHeaders(account, used) },
  );

/** The month of the key is over before that of its account. */
export const refuseKeyMonth = (account: AccountView, used: number): AppError =>
  keyQuotaExceeded(
    { checksUsed: used, checksLimit: account.key?.limit ?? used, upgradeUrl: UPGRADE_URL },
    { ...momentsOf(account), headers: limitHeaders(account, account.used) },
  );

const momentsOf = ({ nowMicros }: AccountView) => ({
  resetsAt: quotaMonth(nowMicros).end,
  nowMs: nowMicros / 1_000,
});

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
