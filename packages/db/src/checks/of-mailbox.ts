import { Prisma } from '../generated/client.js';

/** Subjects of one mailbox. An address that is its mailbox has no second hash, so one of two indexes finds each row. */
export const ofMailbox = (hash: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(s.email_hash = ${hash} OR s.mailbox_hash = ${hash})`;
