import { OPERATOR_ROLES, type OperatorRole } from '@verdict/domain/role.js';
import { type Audit, audited, insertAudit } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { bool, columnsOf, oneOf, type RowOf, text } from '../database/columns.js';
import { sqlStateOf, UNIQUE_VIOLATION } from '../database/database-failure.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { insertOperatorIdentity, type OperatorIdentity } from '../sso/operator-identities.js';
import { opensByPassword } from './opens-account.js';

export interface NewUser {
  readonly userId: string;
  readonly accountId: string;
  /** In its canonical spelling. */
  readonly email: string;
  /** The mailbox behind it, which has one user; the address itself when left out. */
  readonly mailbox?: string;
  readonly name: string | null;
  readonly passwordHash: string;
  readonly plan: string;
  /** A mail to the address was answered. */
  readonly verified?: boolean;
  /** The person of the server’s provider who is this user. */
  readonly identity?: OperatorIdentity;
}

const UserRow = columnsOf('user');
export type UserRow = RowOf<typeof UserRow>;

export interface Login {
  readonly userId: string;
  readonly accountId: string;
  readonly passwordHash: string;
}

/** A user with a new account, or false if the address or its mailbox already has a user. */
export async function createUser(db: Database, user: NewUser, audit: Audit): Promise<boolean> {
  const {
    userId,
    accountId,
    email,
    name,
    passwordHash,
    plan,
    verified = false,
    mailbox = email,
    identity,
  } = user;
  const emailVerifiedAt = verified ? new Date() : null;
  try {
    await db.$transaction([
      db.account.create({ data: { id: accountId, name: name ?? email, plan } }),
      // By hand: Prisma would name every column, and who registers people may not say who is an operator.
      db.$executeRaw`
        INSERT INTO users (id, account_id, email, mailbox, name, password_hash, email_verified_at)
        VALUES (${userId}, ${accountId}, ${email}, ${mailbox}, ${name}, ${passwordHash}, ${emailVerifiedAt})`,
      ...(identity ? [insertOperatorIdentity(db, identity, userId)] : []),
      db.$executeRaw(insertAudit(accountId, { ...audit, userId, target: userId })),
    ]);
    return true;
  } catch (error) {
    if (sqlStateOf(error) === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

/** The role of a user `u` in the operator area: the server’s provider gave it to the session `s`, or the command line to the user. */
const OPERATOR_ROLE = Prisma.sql`coalesce(s.operator_role, CASE WHEN u.operator THEN u.operator_role END)`;

/** A user as one of their sessions shows them. */
export async function findUser(
  db: Database,
  userId: string,
  sessionId: string | null = null,
): Promise<UserRow | undefined> {
  const rows = await rowsOf(db, UserRow)`
    SELECT u.id, u.email, u.name, ${timestampText('u.created_at')} AS created_at, ${OPERATOR_ROLE} IS NOT NULL AS operator,
           ${OPERATOR_ROLE} AS operator_role, u.email_verified_at IS NOT NULL AS email_verified,
           EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL) AS second_factor
    FROM users u LEFT JOIN sessions s ON s.id = ${sessionId} AND s.user_id = u.id WHERE u.id = ${userId}`;
  return rows[0];
}

export async function findLogin(db: Database, email: string): Promise<Login | null> {
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, accountId: true, passwordHash: true },
  });
  return user && { userId: user.id, accountId: user.accountId, passwordHash: user.passwordHash };
}

/** The account that a login opens: of those that the user belongs to, the one used last. */
export async function findOpenedAccount(db: Database, userId: string): Promise<string> {
  const opened = await lastUsed(db, userId, Prisma.sql`true`);
  if (!opened) throw new Error(`user ${userId} belongs to no account`);
  return opened;
}

/** The same of those that a password opens; null where each of them demands single sign-on. */
export const findAccountOfPassword = (db: Database, userId: string): Promise<string | null> =>
  lastUsed(db, userId, opensByPassword);

async function lastUsed(db: Database, userId: string, among: Prisma.Sql): Promise<string | null> {
  const [opened] = await rowsOf(db, { account_id: text })`
    SELECT m.account_id FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.user_id = ${userId} AND ${among}
    ORDER BY (SELECT max(s.used_at) FROM sessions s WHERE s.user_id = u.id AND s.account_id = m.account_id) DESC NULLS LAST,
      m.account_id = u.account_id DESC, m.created_at LIMIT 1`;
  return opened?.account_id ?? null;
}

/** Whether the address is a user's; for those who may not read what a login needs. */
export async function isUser(db: Database, email: string): Promise<boolean> {
  return (await db.user.findUnique({ where: { email }, select: { id: true } })) !== null;
}

export async function findPasswordHash(db: Database, userId: string): Promise<string | null> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { passwordHash: true } });
  return user?.passwordHash ?? null;
}

/** The new password ends every session but the one it was set from, which gets a new refresh token. */
export async function setPassword(
  db: Database,
  who: { userId: string; accountId: string; sessionId: string },
  passwordHash: string,
  refresh: { tokenHash: string; chainKey: string },
  audit: Audit,
): Promise<void> {
  const change = Prisma.sql`
    UPDATE users SET password_hash = ${passwordHash} WHERE id = ${who.userId} RETURNING id`;
  await db.$transaction([
    db.$executeRaw(audited(who.accountId, change, audit)),
    db.session.updateMany({
      where: { userId: who.userId, revokedAt: null, id: { not: who.sessionId } },
      data: { revokedAt: new Date() },
    }),
    db.session.updateMany({ where: { id: who.sessionId }, data: { ...refresh, rotations: 0 } }),
  ]);
}

/** Confirms the address. False if it no longer belongs to a user. */
export async function setEmailVerified(db: Database, email: string, audit: Audit): Promise<boolean> {
  const login = await findLogin(db, email);
  if (!login) return false;
  const change = Prisma.sql`
    UPDATE users SET email_verified_at = now() WHERE id = ${login.userId} AND email_verified_at IS NULL RETURNING id`;
  await db.$executeRaw(
    audited(login.accountId, change, { ...audit, userId: login.userId, target: login.userId }),
  );
  return true;
}

export async function setUserName(
  db: Database,
  who: { readonly userId: string; readonly accountId: string },
  name: string | null,
  audit: Audit,
): Promise<void> {
  const change = Prisma.sql`UPDATE users SET name = ${name} WHERE id = ${who.userId} RETURNING id`;
  await db.$executeRaw(audited(who.accountId, change, audit));
}

/** Gives a user another login address; false when somebody else has it. */
export async function setUserEmail(
  db: Database,
  who: { readonly userId: string; readonly accountId: string },
  to: { readonly email: string; readonly mailbox: string },
  /** A mail to the new address was answered. */
  verified: boolean,
  audit: Audit,
): Promise<boolean> {
  const change = Prisma.sql`
    UPDATE users SET email = ${to.email}, mailbox = ${to.mailbox}, email_verified_at = CASE WHEN ${verified} THEN now() END
    WHERE id = ${who.userId} RETURNING id`;
  try {
    return (await db.$executeRaw(audited(who.accountId, change, audit))) > 0;
  } catch (error) {
    if (sqlStateOf(error) === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

/** Whether anybody of the account has answered a mail. */
export async function hasConfirmedUser(db: Database, accountId: string): Promise<boolean> {
  const rows = await rowsOf(db, { confirmed: bool })`
    SELECT EXISTS (
      SELECT FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.account_id = ${accountId} AND u.email_verified_at IS NOT NULL) AS confirmed`;
  return rows[0]?.confirmed ?? false;
}

/** Grants a role in the operator area, or removes access to it with null. False when there is no such user. */
export async function setOperator(
  db: Database,
  email: string,
  role: OperatorRole | null,
  audit: Audit,
): Promise<boolean> {
  const login = await findLogin(db, email);
  if (!login) return false;
  const change = Prisma.sql`
    UPDATE users SET operator = ${role !== null}, operator_role = coalesce(${role}, operator_role)
    WHERE id = ${login.userId} RETURNING id`;
  await db.$transaction([
    db.$executeRaw(audited(login.accountId, change, { ...audit, target: login.userId })),
    // Logins that the provider gave a role keep none of it.
    db.$executeRaw`
      UPDATE sessions SET revoked_at = now()
      WHERE user_id = ${login.userId} AND operator_role IS NOT NULL AND revoked_at IS NULL AND ${role}::text IS NULL`,
  ]);
  return true;
}

const OperatorRow = {
  role: oneOf(...OPERATOR_ROLES),
  /** The provider of this server vouched for the login. */
  vouched: bool,
  /** That login is too old to open the operator area. */
  old: bool,
  /** Whether the user has a second factor. */
  secondFactor: bool,
  /** Whether this login showed it. */
  shown: bool,
};

/** A group that is taken away at the provider holds with the next login. */
const VOUCHED_HOURS = 12;

/**
 * Asked on every request of the operator area, so that removing an operator takes effect immediately. No identity provider
 * of a customer opens it.
 */
export async function findOperator(
  db: Database,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
): Promise<RowOf<typeof OperatorRow> | null> {
  const rows = await rowsOf(db, OperatorRow)`
    SELECT ${OPERATOR_ROLE} AS role, s.operator_role IS NOT NULL AS vouched,
           s.created_at < now() - make_interval(hours => ${VOUCHED_HOURS}) AS old,
           EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL) AS "secondFactor",
           s.second_factor AS shown
    FROM users u JOIN accounts a ON a.id = u.account_id JOIN sessions s ON s.id = ${sessionId} AND s.user_id = u.id
    WHERE u.id = ${userId} AND ${OPERATOR_ROLE} IS NOT NULL AND a.suspended_at IS NULL AND s.sso_account_id IS NULL`;
  return rows[0] ?? null;
}
