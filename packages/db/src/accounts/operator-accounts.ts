import type { Database } from '../database/client.js';
import { text } from '../database/columns.js';
import { Prisma } from '../generated/client.js';
import type { Audit } from './audited.js';
import { changeAccount } from './change-account.js';

export interface AccountLine {
  readonly [column: string]: string | number;
  readonly account: string;
  readonly name: string;
  readonly plan: string;
  readonly status: string;
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
    status: account.suspendedAt ? 'suspended' : 'active',
    keys: account._count.keys,
    created_at: account.createdAt.toISOString(),
  }));
}

export interface AccountView {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly status: 'active' | 'suspended';
  readonly suspended_reason: string | null;
  readonly created_at: string;
  readonly users: readonly string[];
  readonly keys: number;
}

export async function viewAccount(db: Database, accountId: string): Promise<AccountView> {
  const account = await db.account.findUniqueOrThrow({
    where: { id: accountId },
    include: {
      members: { select: { user: { select: { email: true } } }, orderBy: { createdAt: 'asc' } },
      _count: { select: { keys: { where: { status: { not: 'revoked' } } } } },
    },
  });
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    status: account.suspendedAt ? 'suspended' : 'active',
    suspended_reason: account.suspendedReason,
    created_at: account.createdAt.toISOString(),
    users: account.members.map(({ user }) => user.email),
    keys: account._count.keys,
  };
}

/** From its projection on every key of the account is refused (403); false when it is suspended already. */
export async function suspendAccount(
  db: Database,
  accountId: string,
  reason: string,
  audit: Audit,
): Promise<boolean> {
  const { rows } = await changeAccount(db, {
    accountId,
    change: Prisma.sql`
      UPDATE accounts SET suspended_at = now(), suspended_reason = ${reason}
      WHERE id = ${accountId} AND suspended_at IS NULL RETURNING id`,
    returns: { id: text },
    audit,
  });
  return rows.length > 0;
}

/** Each key gets the status back that it had; false when the account was not suspended. */
export async function resumeAccount(db: Database, accountId: string, audit: Audit): Promise<boolean> {
  const { rows } = await changeAccount(db, {
    accountId,
    change: Prisma.sql`
      UPDATE accounts SET suspended_at = NULL, suspended_reason = NULL
      WHERE id = ${accountId} AND suspended_at IS NOT NULL RETURNING id`,
    returns: { id: text },
    audit,
  });
  return rows.length > 0;
}

/** True once Redis has the account as it is now, so that the gateways go by it. */
export async function isProjected(db: Database, accountId: string): Promise<boolean> {
  const account = await db.account.findUnique({
    where: { id: accountId },
    select: { version: true, projectedVersion: true },
  });
  return account !== null && account.projectedVersion >= account.version;
}
