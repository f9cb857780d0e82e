import type { Database } from './client.js';

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly tokenHash: string;
  readonly lifetimeSeconds: number;
}

export async function createSession(db: Database, session: NewSession): Promise<void> {
  await db.$executeRaw`
    INSERT INTO sessions (id, user_id, token_hash, expires_at)
    VALUES (${session.id}, ${session.userId}, ${session.tokenHash},
            now() + make_interval(secs => ${session.lifetimeSeconds}))`;
}

export interface SessionOwner {
  readonly userId: string;
  readonly accountId: string;
}

/** Swaps the refresh token for the next one, or returns null when the shown one is not the newest of a live session. */
export async function rotateSession(
  db: Database,
  session: { id: string; shownHash: string; nextHash: string; lifetimeSeconds: number },
): Promise<SessionOwner | null> {
  const rows = await db.$queryRaw<{ user_id: string; account_id: string }[]>`
    UPDATE sessions s
    SET token_hash = ${session.nextHash}, expires_at = now() + make_interval(secs => ${session.lifetimeSeconds})
    FROM users u
    WHERE s.id = ${session.id} AND s.token_hash = ${session.shownHash} AND u.id = s.user_id
      AND s.revoked_at IS NULL AND s.expires_at > now()
    RETURNING s.user_id, u.account_id`;
  const row = rows[0];
  return row ? { userId: row.user_id, accountId: row.account_id } : null;
}

/** True when it was live until now. */
export async function revokeSession(db: Database, sessionId: string): Promise<boolean> {
  const { count } = await db.session.updateMany({
    where: { id: sessionId, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  return count > 0;
}

/** Ends the session whose newest refresh token this is; nothing happens to anybody else's. */
export async function revokeSessionByToken(db: Database, id: string, tokenHash: string): Promise<boolean> {
  const { count } = await db.session.updateMany({
    where: { id, tokenHash, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  return count > 0;
}

/** Access tokens live for minutes; logging out and changing the password must not wait for them. */
export async function isSessionLive(
  db: Database,
  session: { sessionId: string; userId: string; accountId: string },
): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.id = ${session.sessionId} AND s.user_id = ${session.userId} AND u.account_id = ${session.accountId}
      AND s.revoked_at IS NULL AND s.expires_at > now()`;
  return rows.length > 0;
}

export async function findSessionOwner(db: Database, sessionId: string): Promise<SessionOwner | null> {
  const session = await db.session.findUnique({
    where: { id: sessionId },
    select: { userId: true, user: { select: { accountId: true } } },
  });
  return session && { userId: session.userId, accountId: session.user.accountId };
}

const KEPT_DAYS = 30;

/** Sessions that ended long ago: nobody can come back with them, and what they did is in the audit log. */
export async function deleteEndedSessions(db: Database): Promise<number> {
  return db.$executeRaw`
    DELETE FROM sessions
    WHERE least(expires_at, revoked_at) < now() - make_interval(days => ${KEPT_DAYS})`;
}
