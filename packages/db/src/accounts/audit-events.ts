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
        SELECT id, user_id, action, target, details, ip, request_id, ${timestampText('created_at')} AS created_at
        FROM audit_events WHERE ${chosen}
        ORDER BY audit_events.created_at DESC, id DESC LIMIT ${countMax}`;
    },
  };
}
