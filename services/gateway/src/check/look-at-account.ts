import type { Admission } from '@verdict/admission/admission.js';
import type { AccountView } from '@verdict/admission/submission.js';
import type { Scope } from '@verdict/redis-store/credential-status.js';
import type { Caller } from '@verdict/redis-store/step.js';
import { failureOf } from './failure-of.js';
import { refuse } from './refuse.js';

interface Looked {
  readonly caller: Caller;
  readonly from: () => string;
  /** The scope that the key must have; optional. */
  readonly scope?: Scope;
}

/** The account as the step would see it now, without counting anything. */
export async function lookAtAccount(
  { admission }: { readonly admission: Pick<Admission, 'look'> },
  { caller, from, scope }: Looked,
): Promise<AccountView> {
  const question = { caller, count: 0, once: null, from, ...(scope && { scope }) };
  const seen = await admission.look(question).catch((error) => {
    throw failureOf('admission', error);
  });
  if (seen.account) return seen.account;
  // Nothing was asked for that could be replayed, and who is granted is shown.
  if (seen.state === 'granted' || seen.state === 'replay' || seen.state === 'needs')
    throw new Error(`a look answered ${seen.state}`);
  throw refuse(seen, caller, 0);
}
