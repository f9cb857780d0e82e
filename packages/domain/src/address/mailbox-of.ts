import type { EmailAddress } from './email-address.js';
import { type MailboxProvider, mailboxProviders } from './mailbox-providers.js';

const providers = new Map<string, MailboxProvider>(
  mailboxProviders.flatMap((provider) =>
    provider.domains.split(/\s+/).map((domain) => [domain, provider] as const),
  ),
);

/**
 * The one mailbox behind all spellings of an address, in canonical form. `ignoresTags` says that the host of the domain's
 * mail is known to ignore them; at such a domain dots still matter.
 */
export function mailboxOf(
  { canonical, domain }: Pick<EmailAddress, 'canonical' | 'domain'>,
  ignoresTags = false,
): string {
  const provider = providers.get(domain);
  const name = canonical.slice(0, -domain.length - 1);
  if (name.startsWith('"')) return canonical;
  if (!provider) {
    const own = mailboxOfSubdomain(domain);
    if (own !== undefined) return own;
    return ignoresTags ? `${withoutTag(name)}@${domain}` : canonical;
  }
  const folded = withoutTag(provider.ignoresDots ? name.replaceAll('.', '') : name);
  return `${folded}@${provider.oneDomain ?? domain}`;
}

/** Whether the provider of the domain delivers several spellings to one mailbox. */
export const sharesMailboxes = (domain: string): boolean =>
  providers.has(domain) || mailboxOfSubdomain(domain) !== undefined;

/** A name stays as it is where nothing that could be one is left of the tag. */
const withoutTag = (name: string): string =>
  name.includes('+') ? (/^(.*?[^.+])\+/.exec(name)?.[1] ?? name) : name;

function mailboxOfSubdomain(domain: string): string | undefined {
  const dot = domain.indexOf('.');
  const parent = domain.slice(dot + 1);
  return providers.get(parent)?.userSubdomains ? `${domain.slice(0, dot)}@${parent}` : undefined;
}
