import { Prisma } from '../generated/client.js';

/** The operator of the mail servers of a subject `s`; null where none is known. */
export const MAIL_OPERATOR = Prisma.sql`nullif(split_part(s.mx, ' ', 1), '')`;

/** Subjects whose mail goes to servers of this operator. */
export const ofMailHost = (operator: string): Prisma.Sql => Prisma.sql`${MAIL_OPERATOR} = ${operator}`;
