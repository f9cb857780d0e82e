import { eraseBulkRows } from '../bulk/erase-bulk-rows.js';
import type { Database } from '../database/client.js';
import { text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import { type Audit, audited } from './audited.js';

/** Hashes of every secret that an account ever showed: their names in Redis. */
export async function secretHashes(db: Database, accountId: string): Promise<string[]> {
  const rows = await rowsOf(db, { hash: text })`
    SELECT secret_hash AS hash FROM api_keys WHERE account_id = ${accountId}
    UNION ALL
    SELECT r.secret_hash FROM retired_secrets r JOIN api_keys k ON k.id = r.key_id WHERE k.account_id = ${accountId}`;
  return rows.map(({ hash }) => hash);
}

/**
 * Deletes the account with the users who belong to no other one, its keys, lists, bulk jobs and the addresses of its
 * checks. Billing records stay, and the audit log keeps what happened and when, with details only about money or operators.
 */
export async function deleteAccount(db: Database, accountId: string, audit: Audit): Promise<boolean> {
  // Files may hold millions of rows: deleted with the account they would run into the limit of a statement.
  for (const { id } of await db.bulkJob.findMany({ where: { accountId }, select: { id: true } })) {
    await eraseBulkRows(db, id);
  }
  const change = Prisma.sql`DELETE FROM accounts WHERE id = ${accountId} RETURNING id`;
  const [, , , deleted] = await db.$transaction([
    // Users who join wait.
    db.$executeRaw`SELECT FROM accounts WHERE id = ${accountId} FOR UPDATE`,
    db.$executeRaw`
      UPDATE users u SET account_id = other.account_id
      FROM memberships other
      WHERE u.account_id = ${accountId} AND other.user_id = u.id AND other.account_id <> ${accountId}`,
    db.$executeRaw`
      INSERT INTO billing_profiles (account_id, name) SELECT id, name FROM accounts WHERE id = ${accountId}
      ON CONFLICT (account_id) DO UPDATE SET name = coalesce(billing_profiles.name, excluded.name)`,
    db.$executeRaw(audited(accountId, change, audit)),
    forgetSubjects(db, [accountId]),
    db.$executeRaw`SELECT forget_audit_of(${accountId})`,
  ]);
  await forgetWhatWasUnderWay(db, accountId);
  return deleted > 0;
}

/**
 * A statement that began earlier may still store the account's last checks. The lock waits for it, and the daily
 * retention deletes what this cannot.
 */
async function forgetWhatWasUnderWay(db: Database, accountId: string): Promise<void> {
  await db
    .$transaction([
      db.$executeRaw`LOCK TABLE ONLY check_subjects IN SHARE ROW EXCLUSIVE MODE`,
      forgetSubjects(db, [accountId]),
    ])
    .catch(() => undefined);
}

const forgetSubjects = (db: Database, accountIds: readonly string[]) =>
  db.$executeRaw`DELETE FROM check_subjects WHERE account_id = ANY(${[...accountIds]}::text[])`;

/** Accounts that were deleted, in the last days or ever. */
export async function departedAccounts(db: Database, days?: number): Promise<string[]> {
  const since =
    days === undefined ? Prisma.empty : Prisma.sql`AND made_at > now() - make_interval(days => ${days})`;
  const rows = await rowsOf(db, { account_id: text })`
    SELECT DISTINCT account_id FROM plan_changes WHERE to_plan = 'none' ${since}`;
  return rows.map(({ account_id }) => account_id);
}

/**
 * Addresses that came in for accounts after they were deleted: a check that was persisted at the same moment, or a dead
 * letter that was retried by a release which did not look. Returns how many.
 */
export async function forgetLateSubjects(db: Database): Promise<number> {
  const departed = await departedAccounts(db);
  return departed.length === 0 ? 0 : forgetSubjects(db, departed);
}
