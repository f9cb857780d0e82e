import { DEFAULT_PLAN } from '@verdict/domain/plans.js';
import type { Database } from '../database/client.js';
import { instant } from '../database/sql-timestamp.js';

/** Forgets domains, networks and mailboxes that are older than a plan keeps the addresses they were made of. */
export const deleteGroupsBefore = (
  db: Database,
  plan: string,
  plans: readonly string[],
  cutoff: Date,
): Promise<number> =>
  db.$executeRaw`
    DELETE FROM check_groups g USING accounts a
    WHERE a.id = g.account_id AND CASE WHEN a.plan = ANY(${[...plans]}::text[]) THEN a.plan ELSE ${DEFAULT_PLAN} END = ${plan}
      AND g.hour < ${instant(cutoff)} AND g.kind NOT IN ('reason', 'rule')`;

/** Forgets hours, origins of networks and bursts that no page shows any longer. */
export async function deleteOldGroups(db: Database, cutoff: Date): Promise<void> {
  await db.$executeRaw`
    WITH old AS (DELETE FROM check_group_hours WHERE hour < ${instant(cutoff)} RETURNING account_id, hour)
    DELETE FROM check_groups g USING old WHERE g.account_id = old.account_id AND g.hour = old.hour`;
  await db.$executeRaw`DELETE FROM network_origins WHERE told_at < ${instant(cutoff)}`;
  await db.$executeRaw`DELETE FROM bursts WHERE ended_at < ${instant(cutoff)}`;
}
