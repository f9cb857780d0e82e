import type { Flag } from '@verdict/contracts/signal-flags.js';
import type { MailOutcome } from '../dns/mail-outcome.js';
import type { MailFacts } from '../score/read-mail.js';
import type { MailboxFacts } from '../score/read-mailbox.js';

/** An address with its answer, for the test and for docs/scoring.md. */
export interface Example {
  readonly email: string;
  /** The answer of DNS; `not asked` where the domain is judged without it. */
  readonly mail: MailOutcome | 'not asked';
  /** Every factor with its points, in order. */
  readonly factors: string;
  readonly note?: string;
}

/** A rule returns the sentence that customers read, or undefined when it does not apply. */
type Rule<Facts> = (facts: Facts) => string | undefined;

/** One thing that may be true of an address and costs points. */
export interface Signal<Code extends string = string> {
  readonly code: Code;
  /** Of the hard signals only the strongest counts; soft ones add up. */
  readonly kind: 'hard' | 'soft';
  /** Bands: allow under 30, challenge to 54, review to 79, block from 80. */
  readonly points: number;
  readonly why: string;
  /** The flag of the answer that is true when the signal is found. */
  readonly flag?: Flag;
  readonly examples: readonly Example[];
  /** Judges the domain and its mail servers. The result is remembered for every mailbox of the domain. */
  readonly ofDomain?: Rule<MailFacts>;
  /** Judges the mailbox name. These signals follow those of the domain. */
  readonly ofMailbox?: Rule<MailboxFacts>;
}

/** Keeps the code as a literal type, so that a misspelt code does not compile. */
export function signal<const Code extends string>(definition: Signal<Code>): Signal<Code> {
  return definition;
}
