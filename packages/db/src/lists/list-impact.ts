import type { Database } from '../database/client.js';
import { Prisma } from '../generated/client.js';

export interface ImpactRow {
  readonly decision: string;
  readonly checks: number;
}

/** The address, domain, IP or network of a list entry, in every spelling that checks may have been stored with. */
export type NamedSubjects =
  | { readonly kind: 'address'; readonly addresses: readonly string[]; readonly domains: readonly string[] }
  | { readonly kind: 'domain'; readonly domains: readonly string[] }
  | { readonly kind: 'ip'; readonly ips: readonly string[] }
  | { readonly kind: 'network'; readonly networks: readonly string[] };

/** Each is parsed, which takes the event loop. */
const SPELLINGS_MAX = 5_000;

/** Which of an account's checks an entry would have decided. Addresses that are gone, or were stored masked, are not found. */
export function createListImpact(db: Database, accountId: string) {
  return {
    byDecision(subjects: NamedSubjects, since: Date): Promise<ImpactRow[]> {
      return db.$queryRaw<ImpactRow[]>`
        SELECT l.decision, count(*)::int AS checks
        FROM check_subjects s JOIN check_logs l ON l.id = s.id AND l.created_at = s.created_at
        WHERE s.account_id = ${accountId} AND s.created_at >= ${since} AND l.created_at >= ${since}
          AND l.account_id = ${accountId} AND ${condition(subjects)}
        GROUP BY 1`;
    },

    /** The spellings among an account's checks that may be of one mailbox: at these domains and beginning with this, dots aside. */
    async spellings(domains: readonly string[], beginning: string, since: Date): Promise<string[]> {
      const rows = await db.$queryRaw<{ email: string }[]>`
        SELECT DISTINCT lower(email) AS email FROM check_subjects
        WHERE account_id = ${accountId} AND created_at >= ${since} AND domain = ANY(${[...domains]}::text[])
          AND starts_with(replace(lower(email), '.', ''), ${beginning}) LIMIT ${SPELLINGS_MAX}`;
      return rows.map(({ email }) => email);
    },
  };
}

function condition(subjects: NamedSubjects): Prisma.Sql {
  if (subjects.kind === 'ip')
    return Prisma.sql`lower(s.ip) = ANY(${subjects.ips.map((ip) => ip.toLowerCase())}::text[])`;
  if (subjects.kind === 'network')
    return Prisma.sql`s.ip IS NOT NULL AND s.ip::inet <<= ANY(${[...subjects.networks]}::inet[])`;
  const domains = [...subjects.domains];
  if (subjects.kind === 'address') {
    return Prisma.sql`s.domain = ANY(${domains}::text[]) AND lower(s.email) = ANY(${[...subjects.addresses]}::text[])`;
  }
  // A domain stands for its subdomains too.
  const below = domains.map(
    (domain) => Prisma.sql`right(s.domain, ${domain.length + 1}::int) = ${`.${domain}`}`,
  );
  return Prisma.sql`(s.domain = ANY(${domains}::text[]) OR ${Prisma.join(below, ' OR ')})`;
}
