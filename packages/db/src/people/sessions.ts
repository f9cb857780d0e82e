import { type OperatorRole, ROLES } from '@verdict/domain/role.js';
import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { bool, columnsOf, int, oneOf, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { opensAccount } from './opens-account.js';

/** How long a login lives: so long without use, and so long however often it is used. */
export interface SessionLife {
  readonly idleSeconds: number;
  readonly totalSeconds: number;
}

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly accountId: string;
  readonly tokenHash: string;
  readonly chainKey: string;
  readonly cookie: boolean;
  /** A code was shown. */
  readonly secondFactor: boolean;
  /** The account whose identity provider vouched for the login. */
  readonly ssoAccountId?: string;
  /** The role that the provider of this server vouched for. */
  readonly operatorRole?: OperatorRole;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly life: SessionLife;
}

/** Live logins of a user; the ones used longest ago end for the next. */
const SESSIONS_MAX = 50;

export async function createSession(db: Database, session: NewSession): Promise<void> {
  const { id, userId, accountId, tokenHash, chainKey, cookie, secondFactor, ip, userAgent, life } = session;
  const { ssoAccountId = null, operatorRole = null } = session;
  await db.$executeRaw`
    WITH ended AS (
      UPDATE sessions SET revoked_at = now() WHERE id IN (
        SELECT id FROM sessions WHERE user_id = ${userId} AND revoked_at IS NULL AND expires_at > now()
        ORDER BY used_at DESC OFFSET ${SESSIONS_MAX - 1})
    )
    INSERT INTO sessions (
      id, user_id, account_id, token_hash, chain_key, cookie, second_factor, sso_account_id, operator_role, ip, user_agent, expires_at)
    VALUES (${id}, ${userId}, ${accountId}, ${tokenHash}, ${chainKey}, ${cookie}, ${secondFactor}, ${ssoAccountId}, ${operatorRole}, ${ip}, ${userAgent},
            now() + make_interval(secs => ${Math.min(life.idleSeconds, life.totalSeconds)}))`;
}

const SessionOwner = { userId: text, accountId: text };
export type SessionOwner = RowOf<typeof SessionOwner>;

const RefreshState = {
  ...SessionOwner,
  tokenHash: text,
  chainKey: text,
  rotations: int,
  cookie: bool,
  /** The token was replaced so lately that its holder may not know it yet. */
  inGrace: bool,
};
export type RefreshState = RowOf<typeof RefreshState>;

/**
 * The state of a live session's refresh token, or null if the session has ended or never existed. Where its user was
 * removed from the account it was in, it continues in another one of theirs.
 */
export async function readRefreshState(
  db: Database,
  sessionId: string,
  graceSeconds: number,
): Promise<RefreshState | null> {
  const rows = await rowsOf(db, RefreshState)`
    SELECT s.user_id AS "userId", m.account_id AS "accountId", s.token_hash AS "tokenHash", s.chain_key AS "chainKey",
           s.rotations, s.cookie, s.used_at > now() - make_interval(secs => ${graceSeconds}) AS "inGrace"
    FROM sessions s JOIN users u ON u.id = s.user_id JOIN memberships m ON m.user_id = u.id
    WHERE s.id = ${sessionId} AND s.revoked_at IS NULL AND s.expires_at > now() AND ${opensAccount}
    ORDER BY m.account_id = coalesce(s.account_id, u.account_id) DESC, m.created_at LIMIT 1`;
  return rows[0] ?? null;
}

/** Replaces the refresh token; false when the shown one is not the newest any more. */
export async function replaceRefreshToken(
  db: Database,
  session: { id: string; shownHash: string; nextHash: string; life: SessionLife },
): Promise<boolean> {
  const { id, shownHash, nextHash, life } = session;
  const replaced = await db.$executeRaw`
    UPDATE sessions
    SET token_hash = ${nextHash}, rotations = rotations + 1, used_at = now(),
        expires_at = least(now() + make_interval(secs => ${life.idleSeconds}),
                           created_at + make_interval(secs => ${life.totalSeconds}))
    WHERE id = ${id} AND token_hash = ${shownHash} AND revoked_at IS NULL AND expires_at > now()`;
  return replaced > 0;
}

/** Moves a session to another account of its user; false where they do not belong to it. */
export async function switchSession(
  db: Database,
  { sessionId, userId, accountId }: { sessionId: string; userId: string; accountId: string },
  audit: Audit,
): Promise<boolean> {
  const change = Prisma.sql`
    UPDATE sessions s SET account_id = ${accountId}
    WHERE s.id = ${sessionId} AND s.user_id = ${userId}
      AND EXISTS (SELECT FROM memberships m WHERE m.user_id = ${userId} AND m.account_id = ${accountId} AND ${opensAccount})
    RETURNING s.id`;
  return (await db.$executeRaw(audited(accountId, change, audit))) > 0;
}

/** True when it was live until now. */
export async function revokeSession(db: Database, sessionId: string): Promise<boolean> {
  const { count } = await db.session.updateMany({
    where: { id: sessionId, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  return count > 0;
}

/** Whether the refresh token of the session is in a cookie. */
export async function isCookieSession(db: Database, sessionId: string): Promise<boolean> {
  const session = await db.session.findUnique({ where: { id: sessionId }, select: { cookie: true } });
  return session?.cookie ?? false;
}

const SessionRow = columnsOf('session');
export type SessionRow = RowOf<typeof SessionRow>;

/** The live logins of a user, last used first. */
export function listSessions(db: Database, userId: string): Promise<SessionRow[]> {
  return rowsOf(db, SessionRow)`
    SELECT id, ${timestampText('created_at')} AS created_at, ${timestampText('used_at')} AS last_used_at,
           ${timestampText('expires_at')} AS expires_at, ip, user_agent
    FROM sessions WHERE user_id = ${userId} AND revoked_at IS NULL AND sessions.expires_at > now()
    ORDER BY sessions.used_at DESC, id DESC`;
}

/** Ends one live login of a user, or all but one; returns how many. */
export async function endSessions(
  db: Database,
  { userId, accountId }: SessionOwner,
  which: { readonly only: string } | { readonly allBut: string },
  audit: Audit,
): Promise<number> {
  const chosen = 'only' in which ? Prisma.sql`id = ${which.only}` : Prisma.sql`id <> ${which.allBut}`;
  const change = Prisma.sql`
    UPDATE sessions SET revoked_at = now()
    WHERE user_id = ${userId} AND ${chosen} AND revoked_at IS NULL AND expires_at > now() RETURNING id`;
  const ended = await rowsOf(db, { id: text })(audited(accountId, change, audit));
  return ended.length;
}

const LiveSession = { role: oneOf(...ROLES), suspended: bool };
export type LiveSession = RowOf<typeof LiveSession>;

/**
 * A session that is live, with the role of its user in the account of the token, or null. Access tokens live for minutes;
 * logging out, suspending, demoting and removing must not wait for them.
 */
export async function findLiveSession(
  db: Database,
  session: { sessionId: string; userId: string; accountId: string },
): Promise<LiveSession | null> {
  const rows = await rowsOf(db, LiveSession)`
    SELECT m.role, a.suspended_at IS NOT NULL AS suspended
    FROM sessions s JOIN memberships m ON m.user_id = s.user_id JOIN accounts a ON a.id = m.account_id
    WHERE s.id = ${session.sessionId} AND s.user_id = ${session.userId} AND m.account_id = ${session.accountId}
      AND s.revoked_at IS NULL AND s.expires_at > now() AND ${opensAccount}`;
  return rows[0] ?? null;
}

const KEPT_DAYS = 30;

/** Sessions that ended long ago: they cannot be resumed, and the audit log has their actions. */
export async function deleteEndedSessions(db: Database): Promise<number> {
  return db.$executeRaw`
    DELETE FROM sessions
    WHERE least(expires_at, revoked_at) < now() - make_interval(days => ${KEPT_DAYS})`;
}
