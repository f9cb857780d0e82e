import { Prisma } from '../generated/client.js';

/** As the index of subjects holds it: from its end, so that a domain is next to all below it. */
const REVERSED = Prisma.sql`reverse(s.domain) COLLATE "C"`;

/** Subjects of these domains. */
export const ofDomains = (domains: readonly string[]): Prisma.Sql =>
  Prisma.sql`${REVERSED} = ANY(ARRAY[${Prisma.join(domains.map((domain) => Prisma.sql`reverse(${domain})`))}])`;

/** Subjects of these domains and of their subdomains, as a range: "/" comes right behind ".". */
export const ofDomainsAndBelow = (domains: readonly string[]): Prisma.Sql =>
  Prisma.sql`(${Prisma.join(
    [
      ofDomains(domains),
      ...domains.map(
        (domain) =>
          Prisma.sql`(${REVERSED} >= reverse(${`.${domain}`}) AND ${REVERSED} < reverse(${`/${domain}`}))`,
      ),
    ],
    ' OR ',
  )})`;
