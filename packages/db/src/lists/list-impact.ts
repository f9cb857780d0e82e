import { ofDomains, ofDomainsAndBelow } from '../checks/of-domains.js';
import { ofMailbox } from '../checks/of-mailbox.js';
import type { Database } from '../database/client.js';
import { bool, int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

const NamedChecksRow = {
  decision: text,
  checks: int,
  /** Hashes of the address and of its mailbox, where they are listed. */
  address: nullable(text),
  mailbox: nullable(text),
  /** The address is another spelling of its mailbox. */
  is_spelling: bool,
  /** Of one of the checks. */
  domain: nullable(text),
  /** Mail servers, as mailText writes them. */
  mx: nullable(text),
  ip: nullable(text),
};
export type NamedChecksRow = RowOf<typeof NamedChecksRow>;

/** The address, domain, IP or network of a list entry, in every spelling that checks may have been stored with. */
export type NamedSubjects =
  | { readonly kind: 'address'; readonly addresses: readonly string[]; readonly domains: readonly string[] }
  | { readonly kind: 'mailbox'; readonly hash: string }
  | { readonly kind: 'domain'; readonly domains: readonly string[] }
  | { readonly kind: 'mx'; readonly host: string }
  | { readonly kind: 'ip'; readonly ips: readonly string[] }
  | { readonly kind: 'network'; readonly networks: readonly string[] };

/** The subjects of all entries of the account, in every spelling that checks may have been stored with. */
export interface ListedSubjects {
  /** Hashes of addresses and mailboxes. */
  readonly hashes: readonly string[];
  readonly domains: readonly string[];
  /** Some entry names a mail server, so that groups differ by theirs. */
  readonly hasMx: boolean;
  /** IPs are networks of one address. */
  readonly networks: readonly string[];
}

/** Which of an account's checks an entry names. Addresses that are gone, or were stored masked, are not found. */
export function createListImpact(db: Database, accountId: string) {
  return {
    /** The checks that an entry names, grouped by the entries that name them too, with one of each group as an example. */
    named(subjects: NamedSubjects, listed: ListedSubjects, since: Date): Promise<NamedChecksRow[]> {
      const { hashes, domains, hasMx, networks } = listed;
      const mx = hasMx || subjects.kind === 'mx' ? Prisma.sql`s.mx` : Prisma.sql`NULL::text`;
      const listedHash = (hash: Prisma.Sql) =>
        Prisma.sql`CASE WHEN ${hash} = ANY(${[...hashes]}::text[]) THEN ${hash} END`;
      return rowsOf(db, NamedChecksRow)`
        SELECT l.decision, count(*)::int AS checks, ${listedHash(Prisma.sql`s.email_hash`)} AS address,
          ${listedHash(Prisma.sql`s.mailbox_hash`)} AS mailbox, s.mailbox_hash IS NOT NULL AS is_spelling,
          min(s.domain) AS domain, ${mx} AS mx, min(s.ip) AS ip
        FROM check_subjects s JOIN check_logs l ON l.id = s.id AND l.created_at = s.created_at
        WHERE s.account_id = ${accountId} AND s.created_at >= ${since} AND l.created_at >= ${since}
          AND l.account_id = ${accountId} AND ${condition(subjects)}
        GROUP BY 1, 3, 4, 5, 7, ${listedDomains(domains)}, ${listedNetworks(networks)}`;
    },
  };
}

function condition(subjects: NamedSubjects): Prisma.Sql {
  if (subjects.kind === 'mailbox') return ofMailbox(Prisma.sql`${subjects.hash}`);
  if (subjects.kind === 'ip')
    return Prisma.sql`lower(s.ip) = ANY(${subjects.ips.map((ip) => ip.toLowerCase())}::text[])`;
  if (subjects.kind === 'network')
    return Prisma.sql`s.ip IS NOT NULL AND s.ip::inet <<= ANY(${[...subjects.networks]}::inet[])`;
  if (subjects.kind === 'mx') return toHost(subjects.host);
  if (subjects.kind === 'domain') return ofDomainsAndBelow(subjects.domains);
  return Prisma.sql`${ofDomains(subjects.domains)} AND lower(s.email) = ANY(${[...subjects.addresses]}::text[])`;
}

/** Some server of the check is this host or below it; the text begins with the operator, which is no server. */
const toHost = (host: string): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM unnest((string_to_array(s.mx, ' '))[2:]) AS server
  WHERE server = ${host} OR right(server, ${host.length + 1}::int) = ${`.${host}`})`;

/** The listed domains above a check's, as a text. */
const listedDomains = (domains: readonly string[]): Prisma.Sql => Prisma.sql`(
  SELECT string_agg(name, ' ' ORDER BY part)
  FROM generate_subscripts(string_to_array(s.domain, '.'), 1) AS part,
    LATERAL array_to_string((string_to_array(s.domain, '.'))[part:], '.') AS name
  WHERE name = ANY(${[...domains]}::text[]))`;

/** The listed networks around a check's IP, as a text. */
const listedNetworks = (networks: readonly string[]): Prisma.Sql => Prisma.sql`(
  SELECT string_agg(network::text, ' ' ORDER BY network) FROM unnest(${[...networks]}::inet[]) AS network
  WHERE s.ip::inet <<= network)`;
