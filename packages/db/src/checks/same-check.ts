import { Prisma } from '../generated/client.js';

/** Joins a check `l` and its subject `s`. Names the account too, so that both can live on the account's server. */
export const SAME_CHECK = Prisma.sql`s.id = l.id AND s.created_at = l.created_at AND s.account_id = l.account_id`;
