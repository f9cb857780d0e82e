import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { CompleteVerdict } from './complete-verdict.js';
import type { Scorer } from './scorer.js';

export type AddVerdict = (index: number, verdict: CompleteVerdict) => void;

/** A verdict that waits for its domain to answer, or for the deadline. */
export interface SlowVerdict {
  readonly index: number;
  readonly verdict: Promise<CompleteVerdict>;
}

/**
 * Scores a batch with one snapshot: adds what needs no look-up, returns the rest. An address that does not parse refuses
 * the batch before any look-up.
 */
export function scoreBatch(
  scorer: Scorer,
  emails: readonly string[],
  accountIds: readonly string[],
  add: AddVerdict,
): SlowVerdict[] {
  const addresses = emails.map(parseOrRefuse);
  const slow: SlowVerdict[] = [];
  for (let index = 0; index < addresses.length; index++) {
    const verdict = scorer.score(addresses[index] as EmailAddress, accountIds[index] ?? '');
    if (verdict instanceof Promise) slow.push({ index, verdict });
    else add(index, verdict);
  }
  return slow;
}

function parseOrRefuse(email: string, index: number): EmailAddress {
  const result = parseEmail(email);
  if (!result.ok) throw invalidField(`checks.${index}.email`, result.message);
  return result.address;
}
