import type { Database } from '../database/client.js';
import { bool, float, int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import { isHeldBy, nextDue, take } from '../work/lease.js';
import { QUEUES } from '../work/queues.js';

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

const WaitingMail = { id: text, lease: int, kind: text, sealed: text, expired: bool };
export type WaitingMail = RowOf<typeof WaitingMail>;

/** Leases due mails. A mail may be sent twice but never lost; its id marks the copies as one. */
export const takeMails = (db: Database, countMax: number): Promise<WaitingMail[]> =>
  rowsOf(db, WaitingMail)`
    ${take(QUEUES.mails, nextDue(QUEUES.mails, countMax))}
    SELECT id, tries AS lease, kind, sealed, expires_at < now() AS expired FROM taken`;

/** How long the oldest mail has waited, in seconds; 0 when none waits. */
export async function oldestMailSeconds(db: Database): Promise<number> {
  const rows = await rowsOf(db, { seconds: float })`
    SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS seconds FROM outgoing_mails`;
  return rows[0]?.seconds ?? 0;
}

export async function removeMail(db: Database, id: string): Promise<void> {
  await db.outgoingMail.deleteMany({ where: { id } });
}

/** Keeps what the mail server said last. */
export async function noteMailError(db: Database, mail: WaitingMail, error: string): Promise<void> {
  await db.$executeRaw`UPDATE outgoing_mails SET last_error = ${error} WHERE ${isHeldBy(QUEUES.mails, mail)}`;
}
