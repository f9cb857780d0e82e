import type { Database } from '../database/client.js';
import { bool, int, nullable, type RowOf, record, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

/** Redis holds this version now, or a newer one. */
export async function markProjected(db: Database, accountId: string, version: number): Promise<void> {
  await db.account.updateMany({
    where: { id: accountId, projectedVersion: { lt: version } },
    data: { projectedVersion: version },
  });
}

/** Accounts whose newest version has not reached Redis: a crash, or a Redis that was away, lay between. */
export async function findUnprojected(db: Database, countMax: number): Promise<string[]> {
  const rows = await rowsOf(db, { id: text })`
    SELECT id FROM accounts WHERE projected_version < version LIMIT ${countMax}`;
  return rows.map(({ id }) => id);
}

const AccountVersion = {
  id: text,
  version: int,
  plan: text,
  /** Where the customer lets checks stop; null: where the plan does. */
  checks_cap: nullable(int),
  bursts: bool,
  /** The plan of a pending downgrade. */
  next: nullable(record({ plan: text, fromMicros: int })),
};
export type AccountVersion = RowOf<typeof AccountVersion>;

/** All accounts, a page at a time in the order of their ids. */
export function readVersionsAfter(
  db: Database,
  afterId: string,
  countMax: number,
): Promise<AccountVersion[]> {
  return rowsOf(db, AccountVersion)`
    SELECT a.id, a.version, a.plan, a.bursts,
      (SELECT s.checks_cap::float8 FROM spending_limits s WHERE s.account_id = a.id) AS checks_cap, (
      SELECT jsonb_build_object('plan', c.to_plan, 'fromMicros', (extract(epoch FROM c.effective_at) * 1000000)::bigint)
      FROM plan_changes c WHERE c.account_id = a.id AND c.applied_at IS NULL AND c.withdrawn_at IS NULL
      ORDER BY c.effective_at LIMIT 1) AS next
    FROM accounts a WHERE a.id > ${afterId} ORDER BY a.id LIMIT ${countMax}`;
}

/** Lifts the account's version above another, so that its next projection replaces what Redis has. */
export async function raiseVersion(db: Database, accountId: string, above: number): Promise<void> {
  await db.$executeRaw`UPDATE accounts SET version = greatest(version, ${above}) + 1 WHERE id = ${accountId}`;
}
