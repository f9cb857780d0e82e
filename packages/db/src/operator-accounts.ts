import type { Database } from './client.js';

export interface AccountLine {
  readonly [column: string]: string | number;
  readonly account: string;
  readonly name: string;
  readonly plan: string;
  readonly keys: number;
  readonly created_at: string;
}

export async function listAccounts(db: Database): Promise<AccountLine[]> {
  const accounts = await db.account.findMany({
    orderBy: { createdAt: 'asc' },
    include: { _count: { select: { keys: { where: { status: { not: 'revoked' } } } } } },
  });
  return accounts.map((account) => ({
    account: account.id,
    name: account.name,
    plan: account.plan,
    keys: account._count.keys,
    created_at: account.createdAt.toISOString(),
  }));
}

/** The version rises with it, so the control plane's outbox brings it to Redis. False when there is no such account. */
export async function changePlan(db: Database, accountId: string, plan: string): Promise<boolean> {
  const { count } = await db.account.updateMany({
    where: { id: accountId },
    data: { plan, version: { increment: 1 } },
  });
  return count === 1;
}
