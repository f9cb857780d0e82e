import { setTimeout as delay } from 'node:timers/promises';
import { fixedAnswer } from '@verdict/admission/fixed-answers.js';
import type { AccountView } from '@verdict/admission/submission.js';
import type { Scored } from '@verdict/scoring-client/scored.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import type { CheckInput } from './check-input.js';
import { quotaExceeded } from './limit-errors.js';

/** Longer than one try of a client should take, shorter than the deadline of a call. */
const SLOW_MS = 2_000;

/** The fixed answer of a test address, or undefined when it is to be scored. Throws the refusals. */
export async function testAnswer({ address }: CheckInput, account: AccountView): Promise<Scored | undefined> {
  const name = address.local.toLowerCase();
  if (name === 'quota') throw quotaExceeded(account, account.limit);
  if (name === 'unavailable') throw unavailable('asked for by a test');
  if (name === 'slow') await delay(SLOW_MS);
  return fixedAnswer(address);
}
