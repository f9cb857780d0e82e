import type { Proposal } from '@verdict/contracts/outcomes-api.js';
import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { ProposalRow } from '@verdict/db/outcomes/proposals.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { challengeName, challengeRule } from '@verdict/domain/policy/challenge-rule.js';
import { tooWide } from '../lists/too-wide.js';

/**
 * Proposals that somebody may accept: not those on a list or in a live rule already, nor a mail server that unrelated people
 * share.
 */
export async function unlisted(
  { lists, policies }: Pick<AccountScope, 'lists' | 'policies'>,
  rows: readonly ProposalRow[],
): Promise<Proposal[]> {
  const proposed = rows.flatMap((row) => proposalOf(row) ?? []);
  if (proposed.length === 0) return [];
  const standing = await lists.standing(proposed.map(({ value }) => value));
  const known = new Set(standing.map(({ value }) => value));
  const { live } = await policies.state();
  const rules = new Set((live === null ? [] : ((await policies.rules(live)) ?? [])).map(({ name }) => name));
  return proposed.filter(({ value }) => !known.has(value) && !rules.has(challengeName(value, false)));
}

function proposalOf({ kind, value, abuse, last_at }: ProposalRow): Proposal | null {
  const found = { kind, abuse, last_at };
  // A network is challenged, because others than these people are in it.
  if (kind === 'network') return { ...found, value, match: null, rule: challengeRule(kind, value) };
  const entry =
    kind === 'mailbox' ? mailboxEntry(value) : ({ value, match: kind === 'mx' ? 'mx' : 'exact' } as const);
  return entry === null || tooWide(entry) !== null ? null : { ...found, ...entry, rule: null };
}

/** A mailbox by its own address where it has spellings, and otherwise the address itself. */
function mailboxEntry(email: string): { value: string; match: 'exact' | 'mailbox' } | null {
  const parsed = parseEmail(email);
  if (!parsed.ok) return null;
  const { canonical } = parsed.address;
  const mailbox = mailboxOf(parsed.address, true);
  return mailbox === canonical ? { value: canonical, match: 'exact' } : { value: mailbox, match: 'mailbox' };
}
