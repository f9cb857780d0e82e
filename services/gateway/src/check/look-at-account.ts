import type { Admission } from '@verdict/admission/admission.js';
import type { AccountView } from '@verdict/admission/submission.js';
import type { Caller } from '@verdict/redis-store/step.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { refuseKey } from './refuse.js';

/** The account as the step would see it now, without counting anything. */
export async function lookAtAccount(
  { admission }: { readonly admission: Pick<Admission, 'look'> },
  caller: Caller,
): Promise<AccountView> {
  const seen = await admission.look({ caller, count: 0, once: null }).catch((error) => {
    throw error instanceof AppError ? error : unavailable('admission', error);
  });
  if ('account' in seen && seen.account) return seen.account;
  throw refuseKey(caller, seen.state === 'forbidden' && seen.unknown);
}
