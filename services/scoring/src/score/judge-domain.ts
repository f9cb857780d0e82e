import type { MailOutcome } from '../dns/mail-outcome.js';
import { signals } from '../signals/signals.js';
import type { CompleteVerdict } from './complete-verdict.js';
import type { Finding } from './finding.js';
import type { DomainFacts } from './read-domain.js';
import { type MailFacts, readMail } from './read-mail.js';

/** A domain with its mail servers, and the signals that they raise for every mailbox in it. */
export interface JudgedDomain {
  readonly facts: MailFacts;
  readonly found: readonly Finding[];
  /** By kind of mailbox; composeVerdict fills it. */
  readonly verdicts: Map<string, CompleteVerdict>;
}

export function judgeDomain(domain: DomainFacts, outcome: MailOutcome | undefined): JudgedDomain {
  const facts = readMail(domain, outcome);
  const found: Finding[] = [];
  for (const signal of signals) {
    const reason = signal.ofDomain?.(facts);
    if (reason !== undefined) found.push({ signal, reason });
  }
  return { facts, found, verdicts: new Map() };
}
