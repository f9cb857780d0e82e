import { UPGRADE_URL } from '@verdict/contracts/api-paths.js';
import type { AccountView, Admission, Caller } from '@verdict/redis-store/admit.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { keyInactive, quotaExceeded, rateLimited, unavailable } from '@verdict/service-kit/errors.js';
import type { AccountProjector } from './account-projector.js';
import type { Admitted, Admitter } from './admitter.js';
import type { CheckInput } from './check-input.js';
import { secondsUntilReset } from './quota-month.js';

export interface Granted {
  readonly account: AccountView;
  readonly admission: Admission;
}

interface AdmitDependencies {
  readonly admitter: Admitter;
  readonly projector: AccountProjector;
}

/** May this caller check now? Throws the public reason when not. */
export async function admitCheck(
  { admitter, projector }: AdmitDependencies,
  caller: Caller,
  logId: string,
  { address, normalIp }: CheckInput,
): Promise<Granted> {
  const item = {
    caller,
    request: { logId, address: address.canonical, domain: address.domain, ip: normalIp },
  };
  let admitted: Admitted;
  try {
    admitted = await admitter.submit(item);
    if (admitted.state === 'absent') {
      await projector.project(caller.accountId);
      admitted = await admitter.submit(item);
    }
  } catch (error) {
    throw error instanceof AppError ? error : unavailable('admission', error);
  }
  return grantedOrRefused(admitted, caller);
}

function grantedOrRefused(admitted: Admitted, caller: Caller): Granted {
  if (admitted.state === 'known' && admitted.admission.outcome === 'granted') return admitted;
  if (admitted.state === 'absent') throw unavailable('projection');
  if (admitted.state === 'forbidden') throw keyInactive({ accountId: caller.accountId, keyId: caller.keyId });
  const { account, admission } = admitted;
  const state = { checksUsed: admission.used, checksLimit: account.limit, upgradeUrl: UPGRADE_URL };
  if (admission.outcome === 'quota') throw quotaExceeded(state, secondsUntilReset(account.nowMicros));
  throw rateLimited(state, Math.max(1, Math.ceil(account.rateWaitMicros / 1_000_000)));
}
