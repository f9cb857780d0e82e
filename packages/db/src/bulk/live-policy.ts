import { Prisma } from '../generated/client.js';

/** The policy of the account that is live now: a job keeps the one that it started with. */
export const LIVE_POLICY = Prisma.sql`(SELECT a.policy_live FROM accounts a WHERE a.id = bulk_jobs.account_id)`;
