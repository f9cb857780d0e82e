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
