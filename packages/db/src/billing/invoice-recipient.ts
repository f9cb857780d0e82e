import { Prisma } from '../generated/client.js';

/** The address for mails about money: the contact where it is an address, or else the first owner of the account. */
export const invoiceRecipient = (contact: Prisma.Sql, accountId: Prisma.Sql): Prisma.Sql => Prisma.sql`
  coalesce(substring(${contact} FROM '^[^[:space:]@<>,;]+@[^[:space:]@<>,;]+$'),
    (SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.account_id = ${accountId} AND m.role = 'owner' ORDER BY u.created_at, u.id LIMIT 1))`;
