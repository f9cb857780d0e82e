import type { RoleKind } from '@verdict/datasets/dataset-snapshot.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import type { MailFacts } from './read-mail.js';

export interface MailboxFacts {
  readonly address: EmailAddress;
  readonly domain: MailFacts;
  /** Left of the tag, in the canonical spelling. */
  readonly name: string;
  readonly plusTag: boolean;
  readonly role: RoleKind | undefined;
}

const PLUS = 43;

/** Reads the tag and the role from a mailbox name. */
export function readMailbox(address: EmailAddress, domain: MailFacts): MailboxFacts {
  const { canonical } = address;
  const at = canonical.length - address.domain.length - 1;
  const plus = canonical.indexOf('+');
  const plusTag = plus > 0 && plus < at && !address.quoted;
  const name = canonical.slice(0, plusTag ? plus : at);
  return { address, domain, name, plusTag, role: domain.datasets.roles.get(withoutSeparators(name)) };
}

/** "no-reply", "no_reply" and "no.reply" are one name. Most names have no separator and are returned as they are. */
function withoutSeparators(name: string): string {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code === 45 || code === 46 || code === 95) return name.replace(/[-._]/g, '');
    if (code === PLUS) return name;
  }
  return name;
}
