import { parseMailDomain } from '@verdict/domain/address/parse-mail-domain.js';
import { getPublicSuffix } from 'tldts';

export interface FreeInput {
  readonly names: Iterable<string>;
  readonly knownMail: ReadonlySet<string>;
  /** Everything in the final disposable list, the relays, the placeholders and the hand list of non-providers. */
  readonly excluded: (domain: string) => boolean;
}

/** Free consumer mailboxes. The known core is never excluded: a build that would do that is wrong elsewhere. */
export function mergeFree(input: FreeInput): { domains: Set<string>; notes: Record<string, number> } {
  const domains = new Set(input.knownMail);
  const notes = { excluded: 0 };
  for (const name of input.names) {
    const parsed = parseMailDomain(name.trim());
    if (!parsed.ok || domains.has(parsed.domain.ascii)) continue;
    const domain = parsed.domain.ascii;
    if (input.excluded(domain) || getPublicSuffix(domain, { allowPrivateDomains: true }) === domain)
      notes.excluded++;
    else domains.add(domain);
  }
  return { domains, notes };
}
