import type { AccountView, Outcome } from '@verdict/admission/submission.js';
import { UPGRADE_URL } from '@verdict/contracts/api-paths.js';
import type { Caller } from '@verdict/redis-store/step.js';
import type { AppError } from '@verdict/service-kit/app-error.js';
import {
  invalidField,
  keyInactive,
  keyNotOwned,
  quotaExceeded,
  rateLimited,
} from '@verdict/service-kit/errors.js';
import { limitHeaders } from './limit-headers.js';
import { quotaMonth } from './quota-month.js';

export type Refusal = Exclude<Outcome, { readonly state: 'granted' | 'replay' }>;

/** The public reason why so many checks were refused together. */
export function refuse(refusal: Refusal, caller: Caller, checks: number): AppError {
  if (refusal.state === 'forbidden') return refuseKey(caller, refusal.unknown);
  const { account, used } = refusal;
  if (refusal.state === 'rate' && checks > account.rate) {
    // No waiting would help: more than a second of the rate never passes at once.
    return invalidField('items', `at most ${account.rate} checks at once on your plan`);
  }
  if (refusal.state === 'quota') return refuseMonth(account, used);
  return rateLimited(
    stateOf(account, used),
    Math.max(1, Math.ceil(account.rateWaitMicros / 1_000_000)),
    limitHeaders(account, used),
  );
}

/** The month is used up. A plan can be changed at any moment, so nobody is sent away for weeks. */
export function refuseMonth(account: AccountView, used: number): AppError {
  const { end } = quotaMonth(account.nowMicros);
  return quotaExceeded(stateOf(account, used), end, account.nowMicros / 1_000, limitHeaders(account, used));
}

/** A token that names a key which its account does not have is told so; a secret that was good once is inactive. */
export function refuseKey({ accountId, keyId, credential }: Caller, unknown: boolean): AppError {
  return unknown && credential === keyId
    ? keyNotOwned({ accountId, keyId })
    : keyInactive({ accountId, keyId });
}

const stateOf = ({ limit }: AccountView, used: number) => ({
  checksUsed: used,
  checksLimit: limit,
  upgradeUrl: UPGRADE_URL,
});
