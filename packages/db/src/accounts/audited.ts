import { Prisma } from '../generated/client.js';
import { insertMail, type OutgoingMail } from '../people/outgoing-mails.js';

/** The author, action and origin of a change. Written in the same statement as the change, or not at all. */
export interface Audit {
  readonly id: string;
  readonly userId: string | null;
  readonly ip: string | null;
  readonly requestId: string | null;
  readonly action: string;
  readonly target?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The mail about it, sent if and only if the change happened. */
  readonly mail?: OutgoingMail;
}

/**
 * Wraps a change that RETURNs rows and audits it only if it changed something. Data that only the change knows, such
 * as the previous value, is returned as `details` (jsonb).
 */
export function audited(accountId: string, change: Prisma.Sql, audit: Audit): Prisma.Sql {
  const mailed = audit.mail
    ? Prisma.sql`, mailed AS (${insertMail(audit.mail)} WHERE EXISTS (SELECT 1 FROM changed))`
    : Prisma.empty;
  return Prisma.sql`
    WITH changed AS (${change}),
    noted AS (${insertAudit(accountId, audit, FROM_CHANGE)} WHERE EXISTS (SELECT 1 FROM changed))${mailed}
    SELECT * FROM changed`;
}

const FROM_CHANGE = Prisma.sql`coalesce((SELECT to_jsonb(changed) -> 'details' FROM changed LIMIT 1), '{}')`;

/** The one way into the audit log: a line, and what else its details say. */
export const insertAudit = (
  accountId: string,
  audit: Audit,
  furtherDetails = Prisma.sql`'{}'::jsonb`,
): Prisma.Sql => Prisma.sql`
  INSERT INTO audit_events (id, account_id, user_id, action, target, details, ip, request_id)
  SELECT ${audit.id}, ${accountId}, ${audit.userId}, ${audit.action}, ${audit.target ?? null},
         ${JSON.stringify(audit.details ?? {})}::jsonb || ${furtherDetails}, ${audit.ip}, ${audit.requestId}`;
