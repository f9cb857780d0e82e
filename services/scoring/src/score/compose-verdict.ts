import { contractFlags, expandedFlags, type Flag, mapFlags } from '@verdict/contracts/signal-flags.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { signals } from '../signals/signals.js';
import { addUp } from './add-up.js';
import type { CompleteVerdict } from './complete-verdict.js';
import type { Finding } from './finding.js';
import type { JudgedDomain } from './judge-domain.js';
import type { MailFacts } from './read-mail.js';
import { readMailbox } from './read-mailbox.js';

const noFlags = mapFlags({ ...contractFlags, ...expandedFlags }, () => false);
const mailboxSignals = signals.filter(({ ofMailbox }) => ofMailbox !== undefined);

/** Kinds of mailboxes whose verdict a domain remembers; people seldom make more than three. */
const KINDS_MAX = 8;

/**
 * Domain, mail servers and mailbox name become one answer. Mailboxes of a kind share it, unless it suggests an address,
 * which names the mailbox; `datasets` are the versions that it was made with.
 */
export function composeVerdict(
  address: EmailAddress,
  domain: JudgedDomain,
  datasets: string,
): CompleteVerdict {
  const { facts, verdicts } = domain;
  const mailbox = readMailbox(address, facts);
  const isAlias = mailboxOf(address, hasTags(facts)) !== address.canonical;
  let kind = isAlias ? 'alias' : '';
  const found: Finding[] = [];
  for (const signal of mailboxSignals) {
    const reason = signal.ofMailbox?.(mailbox);
    if (reason === undefined) continue;
    found.push({ signal, reason });
    kind += `\n${reason}`;
  }
  const meant = facts.typo ?? facts.homograph;
  if (meant !== undefined) return compose(domain, found, isAlias, `${address.local}@${meant}`, datasets);
  const known = verdicts.get(kind);
  if (known !== undefined) return known;
  const made = compose(domain, found, isAlias, null, datasets);
  if (verdicts.size >= KINDS_MAX) verdicts.clear();
  verdicts.set(kind, made);
  return made;
}

function compose(
  domain: JudgedDomain,
  ofMailbox: readonly Finding[],
  isAlias: boolean,
  suggestion: string | null,
  datasets: string,
): CompleteVerdict {
  const { facts } = domain;
  const found = [...domain.found, ...ofMailbox];
  const { score, factors } = addUp(found);
  const flags: Record<Flag, boolean> = {
    ...noFlags,
    mx_valid: facts.mail === 'known' || facts.outcome?.kind === 'mx',
    alias: isAlias,
  };
  for (const { signal } of found) if (signal.flag !== undefined) flags[signal.flag] = true;
  const { disposable_email, mx_valid, free_provider, ...expanded } = flags;
  return {
    risk_score: score,
    signals: { disposable_email, mx_valid, free_provider },
    extra: { ...expanded, suggestion, mail: facts.servers },
    factors,
    datasets,
  };
}

/** Google and Microsoft deliver tagged mail at the domains of their customers, too. */
const hasTags = ({ mailboxHost }: MailFacts): boolean =>
  mailboxHost === 'Google' || mailboxHost === 'Microsoft';
