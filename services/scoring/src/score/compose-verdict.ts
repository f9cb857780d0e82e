import { contractFlags, expandedFlags, type Flag, mapFlags } from '@verdict/contracts/signal-flags.js';
import type { ExtraSignals } from '@verdict/contracts/signals.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { signals } from '../signals/signals.js';
import { addUp } from './add-up.js';
import type { Finding } from './finding.js';
import type { JudgedDomain } from './judge-domain.js';
import type { MailFacts } from './read-mail.js';
import { readMailbox } from './read-mailbox.js';

const noFlags = mapFlags({ ...contractFlags, ...expandedFlags }, () => false);
const mailboxSignals = signals.filter(({ ofMailbox }) => ofMailbox !== undefined);

/** A verdict with every flag of this release. */
export interface CompleteVerdict extends Verdict {
  readonly extra: ExtraSignals;
}

/** Domain, mail servers and mailbox name become one answer. `datasets` are the versions that it was made with. */
export function composeVerdict(
  address: EmailAddress,
  domain: JudgedDomain,
  datasets: string,
): CompleteVerdict {
  const { facts } = domain;
  const found: Finding[] = [...domain.found];
  const mailbox = readMailbox(address, facts);
  for (const signal of mailboxSignals) {
    const reason = signal.ofMailbox?.(mailbox);
    if (reason !== undefined) found.push({ signal, reason });
  }
  const { score, factors } = addUp(found);
  const flags: Record<Flag, boolean> = {
    ...noFlags,
    mx_valid: facts.mail === 'known' || facts.outcome?.kind === 'mx',
    alias: mailboxOf(address, hasTags(facts)) !== address.canonical,
  };
  for (const { signal } of found) if (signal.flag !== undefined) flags[signal.flag] = true;
  const { disposable_email, mx_valid, free_provider, ...expanded } = flags;
  const meant = facts.typo ?? facts.homograph;
  return {
    risk_score: score,
    signals: { disposable_email, mx_valid, free_provider },
    extra: { ...expanded, suggestion: meant === undefined ? null : `${address.local}@${meant}` },
    factors,
    datasets,
  };
}

/** Google and Microsoft deliver tagged mail at the domains of their customers, too. */
const hasTags = ({ mailboxHost }: MailFacts): boolean =>
  mailboxHost === 'Google' || mailboxHost === 'Microsoft';
