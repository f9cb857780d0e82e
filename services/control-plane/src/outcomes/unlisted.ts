import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { ProposalRow } from '@verdict/db/outcomes/proposals.js';
import type { ListMatching } from '@verdict/domain/account-list.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { tooWide } from '../lists/too-wide.js';

interface Proposal {
  readonly value: string;
  readonly match: ListMatching;
  readonly abuse: number;
  readonly last_at: string;
}

/** Proposals that somebody may accept: not those on a list already, nor a mail server that unrelated people share. */
export async function unlisted(
  { lists }: Pick<AccountScope, 'lists'>,
  rows: readonly ProposalRow[],
): Promise<Proposal[]> {
  const proposed = rows.flatMap(({ kind, value, abuse, last_at }) => {
    const entry =
      kind === 'mailbox' ? mailboxEntry(value) : ({ value, match: kind === 'mx' ? 'mx' : 'exact' } as const);
    return entry === null || tooWide(entry) !== null ? [] : [{ ...entry, abuse, last_at }];
  });
  if (proposed.length === 0) return [];
  const standing = await lists.standing(proposed.map(({ value }) => value));
  const known = new Set(standing.map(({ value }) => value));
  return proposed.filter(({ value }) => !known.has(value));
}

/** A mailbox by its own address where it has spellings, and otherwise the address itself. */
function mailboxEntry(email: string): Pick<Proposal, 'value' | 'match'> | null {
  const parsed = parseEmail(email);
  if (!parsed.ok) return null;
  const { canonical } = parsed.address;
  const mailbox = mailboxOf(parsed.address, true);
  return mailbox === canonical ? { value: canonical, match: 'exact' } : { value: mailbox, match: 'mailbox' };
}
