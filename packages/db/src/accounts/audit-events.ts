import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { columnsOf, type RowOf } from '../database/columns.js';
import { isBefore, type Position } from '../database/is-before.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { insertMail } from '../people/outgoing-mails.js';
import { type Audit, insertAudit } from './audited.js';

/** For what is not a change of rows: logging in and out. */
export async function appendAudit(db: Database, accountId: string, audit: Audit): Promise<void> {
  const noted = db.$executeRaw(insertAudit(accountId, audit));
  if (audit.mail) await db.$transaction([noted, db.$executeRaw(insertMail(audit.mail))]);
  else await noted;
}

const AuditRow = columnsOf('auditEvent');
export type AuditRow = RowOf<typeof AuditRow>;

export function createAuditEvents(db: Database, accountId: string) {
  return {
    /** Newest first, those before a position; all, or those about one subject. */
    page(subject: string | undefined, before: Position | null, countMax: number): Promise<AuditRow[]> {
      const chosen = allOf(
        Prisma.sql`account_id = ${accountId}`,
        subject && Prisma.sql`starts_with(action, ${`${subject}.`})`,
        before && isBefore(before, 'audit_events'),
      );
      return rowsOf(db, AuditRow)`
        SELECT e.id, e.user_id, ${EMAIL} AS user_email, e.action, e.target, e.details, e.ip, e.request_id,
          ${timestampText('e.created_at')} AS created_at
        FROM (
          SELECT * FROM audit_events WHERE ${chosen} ORDER BY created_at DESC, id DESC LIMIT ${countMax}
        ) e ORDER BY e.created_at DESC, e.id DESC`;
    },
  };
}

/** The email of who did `e`: a member's of now, or what the entry of their removal says. */
const EMAIL = Prisma.sql`coalesce(
  (SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
   WHERE m.account_id = e.account_id AND m.user_id = e.user_id),
  (SELECT r.details ->> 'email' FROM audit_events r
   WHERE r.account_id = e.account_id AND r.target = e.user_id AND r.action IN ('member.removed', 'member.left')
   ORDER BY r.created_at DESC LIMIT 1))`;
