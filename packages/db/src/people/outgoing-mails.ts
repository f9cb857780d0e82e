import type { Database } from '../database/client.js';
import { bool, float, int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

/** A mail as it waits: who may read the database cannot read it. */
export interface OutgoingMail {
  readonly id: string;
  /** Null as long as it must stay secret whether the address is a user's. */
  readonly userId: string | null;
  readonly kind: string;
  readonly sealed: string;
  readonly lifeSeconds: number;
}

/** The insert itself, for the statement or transaction of the mail's cause. */
export const insertMail = ({ id, userId, kind, sealed, lifeSeconds }: OutgoingMail): Prisma.Sql => Prisma.sql`
  INSERT INTO outgoing_mails (id, user_id, kind, sealed, expires_at)
  SELECT ${id}, ${userId}, ${kind}, ${sealed}, now() + make_interval(secs => ${lifeSeconds})`;

const WaitingMail = { id: text, kind: text, sealed: text, tries: int, expired: bool };
export type WaitingMail = RowOf<typeof WaitingMail>;

/**
 * Leases due mails for `leaseSeconds`, so that a sender that dies leaves them to the next one. A mail may be sent
 * twice but never lost; its id marks the copies as one.
 */
export function takeMails(db: Database, countMax: number, leaseSeconds: number): Promise<WaitingMail[]> {
  return rowsOf(db, WaitingMail)`
    UPDATE outgoing_mails m SET tries = m.tries + 1, next_try_at = now() + make_interval(secs => ${leaseSeconds})
    FROM (SELECT id FROM outgoing_mails WHERE next_try_at <= now() ORDER BY next_try_at LIMIT ${countMax}
          FOR UPDATE SKIP LOCKED) due
    WHERE m.id = due.id
    RETURNING m.id, m.kind, m.sealed, m.tries, m.expires_at < now() AS expired`;
}

/** How long the oldest mail has waited, in seconds; 0 when none waits. */
export async function oldestMailSeconds(db: Database): Promise<number> {
  const rows = await rowsOf(db, { seconds: float })`
    SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS seconds FROM outgoing_mails`;
  return rows[0]?.seconds ?? 0;
}

export async function removeMail(db: Database, id: string): Promise<void> {
  await db.$executeRaw`DELETE FROM outgoing_mails WHERE id = ${id}`;
}

export async function putOffMail(db: Database, id: string, seconds: number, error: string): Promise<void> {
  await db.$executeRaw`
    UPDATE outgoing_mails SET next_try_at = now() + make_interval(secs => ${seconds}), last_error = ${error}
    WHERE id = ${id}`;
}
