import { ofDomains, ofDomainsAndBelow } from '../checks/of-domains.js';
import { ofMailbox } from '../checks/of-mailbox.js';
import type { Database } from '../database/client.js';
import { int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

const ImpactRow = { decision: text, checks: int };
export type ImpactRow = RowOf<typeof ImpactRow>;

/** The address, domain, IP or network of a list entry, in every spelling that checks may have been stored with. */
export type NamedSubjects =
  | { readonly kind: 'address'; readonly addresses: readonly string[]; readonly domains: readonly string[] }
  | { readonly kind: 'mailbox'; readonly hash: string }
  | { readonly kind: 'domain'; readonly domains: readonly string[] }
  | { readonly kind: 'ip'; readonly ips: readonly string[] }
  | { readonly kind: 'network'; readonly networks: readonly string[] };

/** The subjects of entries that decide first, in every spelling that checks may have been stored with. */
export interface DecidedFirst {
  /** Hashes of addresses and mailboxes. */
  readonly addresses: readonly string[];
  readonly mailboxes: readonly string[];
  readonly domains: readonly string[];
  readonly networks: readonly string[];
}

/** Which of an account's checks an entry would have decided. Addresses that are gone, or were stored masked, are not found. */
export function createListImpact(db: Database, accountId: string) {
  return {
    byDecision(subjects: NamedSubjects, first: DecidedFirst, since: Date): Promise<ImpactRow[]> {
      return rowsOf(db, ImpactRow)`
        SELECT l.decision, count(*)::int AS checks
        FROM check_subjects s JOIN check_logs l ON l.id = s.id AND l.created_at = s.created_at
        WHERE s.account_id = ${accountId} AND s.created_at >= ${since} AND l.created_at >= ${since}
          AND l.account_id = ${accountId} AND ${condition(subjects)} AND ${isLeftBy(first)}
        GROUP BY 1`;
    },
  };
}

function condition(subjects: NamedSubjects): Prisma.Sql {
  if (subjects.kind === 'mailbox') return ofMailbox(Prisma.sql`${subjects.hash}`);
  if (subjects.kind === 'ip')
    return Prisma.sql`lower(s.ip) = ANY(${subjects.ips.map((ip) => ip.toLowerCase())}::text[])`;
  if (subjects.kind === 'network')
    return Prisma.sql`s.ip IS NOT NULL AND s.ip::inet <<= ANY(${[...subjects.networks]}::inet[])`;
  if (subjects.kind === 'domain') return ofDomainsAndBelow(subjects.domains);
  return Prisma.sql`${ofDomains(subjects.domains)} AND lower(s.email) = ANY(${[...subjects.addresses]}::text[])`;
}

/** Checks that no other entry decides first. */
function isLeftBy({ addresses, mailboxes, domains, networks }: DecidedFirst): Prisma.Sql {
  const hashes = [...addresses, ...mailboxes];
  const parts = [
    hashes.length > 0 && Prisma.sql`s.email_hash = ANY(${hashes}::text[])`,
    mailboxes.length > 0 && Prisma.sql`s.mailbox_hash = ANY(${[...mailboxes]}::text[])`,
    domains.length > 0 &&
      Prisma.sql`EXISTS (SELECT 1 FROM generate_subscripts(string_to_array(s.domain, '.'), 1) AS part
        WHERE array_to_string((string_to_array(s.domain, '.'))[part:], '.') = ANY(${[...domains]}::text[]))`,
    networks.length > 0 && Prisma.sql`s.ip::inet <<= ANY(${[...networks]}::inet[])`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? Prisma.sql`true` : Prisma.sql`(${Prisma.join(parts, ' OR ')}) IS NOT TRUE`;
}
