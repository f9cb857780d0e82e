import type { Admission } from '@verdict/admission/admission.js';
import type { Outcome } from '@verdict/admission/submission.js';
import type { Caller } from '@verdict/redis-store/step.js';
import { failureOf } from './failure-of.js';
import type { IdempotentRequest } from './idempotency.js';

export interface ChecksQuestion {
  readonly caller: Caller;
  readonly from: () => string;
  readonly once: IdempotentRequest | null;
  readonly count: number;
}

export type Looked = Exclude<Outcome, { readonly state: 'needs' }>;

/** Asks whether the key may have so many checks now, or whether there is an answer to replay. Counts nothing. */
export async function lookAtChecks(
  { admission }: { readonly admission: Pick<Admission, 'look'> },
  { caller, from, once, count }: ChecksQuestion,
): Promise<Looked> {
  const question = { caller, from, scope: 'check' as const, count, once: once && { ...once, rest: '' } };
  const seen = await admission.look(question).catch((error) => {
    throw failureOf('admission', error);
  });
  if (seen.state === 'needs') throw new Error('a look needs nothing more');
  return seen;
}
