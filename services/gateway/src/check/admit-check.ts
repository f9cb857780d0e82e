import { UPGRADE_URL } from '@verdict/contracts/api-paths.js';
import type { AccountView, Admission, AdmissionRequest, Caller } from '@verdict/redis-store/admit.js';
import { keyInactive, quotaExceeded, rateLimited, unavailable } from '@verdict/service-kit/errors.js';
import type { AccountProjector } from './account-projector.js';
import type { Admitted, Admitter } from './admitter.js';
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
  request: AdmissionRequest,
): Promise<Granted> {
  const item = { caller, request };
  let admitted = await submit(admitter, item);
  if (admitted.state === 'absent') {
    await projector.project(caller.accountId);
    admitted = await submit(admitter, item);
  }
  if (admitted.state === 'absent') throw unavailable('projection');
  if (admitted.state === 'forbidden') throw keyInactive({ accountId: caller.accountId, keyId: caller.keyId });
  const { account, admission } = admitted;
  if (admission.outcome === 'granted') return { account, admission };
  const state = { checksUsed: admission.used, checksLimit: account.limit, upgradeUrl: UPGRADE_URL };
  if (admission.outcome === 'quota') throw quotaExceeded(state, secondsUntilReset(account.nowMicros));
  throw rateLimited(state, Math.max(1, Math.ceil(account.rateWaitMicros / 1_000_000)));
}

function submit(admitter: Admitter, item: Parameters<Admitter['submit']>[0]): Promise<Admitted> {
  return admitter.submit(item).catch((error) => {
    throw unavailable('admission', error);
  });
}
