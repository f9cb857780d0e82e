import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { addUp } from './add-up.js';
import type { Finding } from './finding.js';
import { findings } from './findings.js';
import type { DomainFacts } from './judge-domain.js';
import type { LocalFacts } from './judge-local.js';
import type { MailFacts } from './judge-mail.js';
import type { Verdict } from './verdict.js';

/** Domain, mail servers and mailbox name become one answer. */
export function composeVerdict(
  address: EmailAddress,
  domain: DomainFacts,
  mail: MailFacts,
  local: LocalFacts,
): Verdict {
  const { score, factors } = addUp(mail.hard, allSoft(mail, address, local, domain.noReply));
  return {
    riskScore: score,
    factors,
    disposableEmail: mail.disposable,
    mxValid: mail.mxValid,
    freeProvider: domain.free,
    roleAccount: local.role,
    noReply: local.noReply || domain.noReply,
    relay: domain.relay,
    mxUnknown: mail.mxUnknown,
    plusTag: local.plusTag,
    suggestion: domain.suggestion === undefined ? null : `${address.local}@${domain.suggestion}`,
  };
}

function allSoft(
  mail: MailFacts,
  address: EmailAddress,
  local: LocalFacts,
  unreadDomain: boolean,
): readonly Finding[] {
  const named = local.role || local.noReply || local.random || local.plusTag || address.quoted;
  if (!named && !mail.mxUnknown) return mail.soft;
  const all = [...mail.soft];
  // Once, whoever says it: the domain's word stands among the domain's findings already.
  if (local.noReply && !unreadDomain) all.push(findings.noReply);
  if (address.quoted) all.push(findings.quoted);
  if (local.role) all.push(findings.role);
  if (local.random) all.push(findings.random);
  if (local.plusTag) all.push(findings.plusTag);
  // Last, so that it is the first to give way.
  if (mail.mxUnknown) all.push(findings.indeterminate);
  return all;
}
