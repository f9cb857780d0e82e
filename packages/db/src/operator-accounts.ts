import { type Audit, audited } from './audited.js';
import { changeAccount } from './change-account.js';
import type { Database } from './client.js';
import { Prisma } from './generated/client.js';

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
      users: { select: { email: true }, orderBy: { createdAt: 'asc' } },
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
    users: account.users.map(({ email }) => email),
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

/** Hashes of every secret that an account ever showed: their names in Redis. */
export async function secretHashes(db: Database, accountId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ hash: string }[]>`
    SELECT secret_hash AS hash FROM api_keys WHERE account_id = ${accountId}
    UNION ALL
    SELECT r.secret_hash FROM retired_secrets r JOIN api_keys k ON k.id = r.key_id WHERE k.account_id = ${accountId}`;
  return rows.map(({ hash }) => hash);
}

/**
 * Removes the account with its users, sessions, keys and lists, and the addresses of its checks. What is billed stays:
 * checks without addresses, usage, history of plans, statements, invoices and whom they were made out to.
 */
export async function deleteAccount(db: Database, accountId: string, audit: Audit): Promise<boolean> {
  const change = Prisma.sql`DELETE FROM accounts WHERE id = ${accountId} RETURNING id`;
  const [, , deleted] = await db.$transaction([
    db.$executeRaw`
      INSERT INTO billing_profiles (account_id, name) SELECT id, name FROM accounts WHERE id = ${accountId}
      ON CONFLICT (account_id) DO UPDATE SET name = coalesce(billing_profiles.name, excluded.name)`,
    db.$executeRaw`DELETE FROM check_subjects WHERE account_id = ${accountId}`,
    db.$queryRaw<unknown[]>(audited(accountId, change, audit)),
  ]);
  return deleted.length > 0;
}
