import type { Database } from '../database/client.js';
import { document, int, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import type { Prisma } from '../generated/client.js';

const ROWS_PER_PAGE = 500;

/**
 * Rewrites audit records that name an address and returns how many. `redact` returns the new details, or null to keep
 * the old ones.
 */
export async function redactAudit(
  db: Database,
  redact: (details: Prisma.JsonValue) => Prisma.JsonValue | null,
): Promise<number> {
  let redacted = 0;
  let after = '';
  for (;;) {
    const rows = await rowsOf(db, { id: text, details: document<Prisma.JsonObject>() })`
      SELECT id, details FROM audit_events WHERE id > ${after} AND details::text LIKE '%@%'
      ORDER BY id LIMIT ${ROWS_PER_PAGE}`;
    for (const { id, details } of rows) {
      const left = redact(details);
      if (left === null) continue;
      await db.auditEvent.update({ where: { id }, data: { details: left as Prisma.InputJsonValue } });
      redacted++;
    }
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_PAGE) return redacted;
    after = last.id;
  }
}

/** Deletes old IPs from audit records and returns how many it touched; the actions stay. */
export async function forgetAuditIps(db: Database, before: Date): Promise<number> {
  const rows = await rowsOf(db, { forgotten: int })`SELECT forget_audit_ips(${before}) AS forgotten`;
  return rows[0]?.forgotten ?? 0;
}
