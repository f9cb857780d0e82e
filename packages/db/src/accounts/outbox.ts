import type { Database } from '../database/client.js';

/** Redis holds this version now, or a newer one. */
export async function markProjected(db: Database, accountId: string, version: number): Promise<void> {
  await db.$executeRaw`
    UPDATE accounts SET projected_version = ${version}
    WHERE id = ${accountId} AND projected_version < ${version}`;
}

/** Accounts whose newest version has not reached Redis: a crash, or a Redis that was away, lay between. */
export async function findUnprojected(db: Database, countMax: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM accounts WHERE projected_version < version LIMIT ${countMax}`;
  return rows.map(({ id }) => id);
}

export interface AccountVersion {
  readonly id: string;
  readonly version: number;
  readonly plan: string;
}

/** All accounts, a page at a time in the order of their ids. */
export function readVersionsAfter(
  db: Database,
  afterId: string,
  countMax: number,
): Promise<AccountVersion[]> {
  return db.account.findMany({
    where: { id: { gt: afterId } },
    orderBy: { id: 'asc' },
    take: countMax,
    select: { id: true, version: true, plan: true },
  });
}

/** Lifts the account's version above another, so that its next projection replaces what Redis has. */
export async function raiseVersion(db: Database, accountId: string, above: number): Promise<void> {
  await db.$executeRaw`UPDATE accounts SET version = greatest(version, ${above}) + 1 WHERE id = ${accountId}`;
}
