import { Prisma } from '../generated/client.js';
import { beginsWith } from './begins-with.js';

/** The shape of a domain as `domainShape` writes it; a test compares the two. */
export const shapeOf = (domain: Prisma.Sql): Prisma.Sql => Prisma.sql`
  replace(replace(replace(regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(${domain}, '\\.[^.]*$', ''), '[a-z]+', 'a', 'g'), '[0-9]+', '0', 'g'), '[a0]{3,}', 'm', 'g'),
    'a', 'abc'), '0', '123'), 'm', 'a1b2') || substring(${domain} from '\\.[^.]*$')`;

/** Only the domains of a check `l` that many people do not share by nature have a shape worth counting. */
export const HAS_SHAPE = Prisma.sql`(l.signals ->> 'free_provider')::boolean IS NOT TRUE`;

/** Checks `l` of domains of a shape. The index of subjects `s` holds domains from their end, so it knows the ending. */
export function ofShape(shape: string): Prisma.Sql {
  const ending = [...shape.slice(shape.lastIndexOf('.'))].reverse().join('');
  const domain = Prisma.sql`s.domain`;
  return Prisma.sql`(${beginsWith(Prisma.sql`reverse(${domain})`, ending)} AND ${shapeOf(domain)} = ${shape} AND ${HAS_SHAPE})`;
}
