import type { Role } from '@verdict/domain/role.js';
import { type Audit, insertAudit } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { text } from '../database/columns.js';
import { sqlStateOf, UNIQUE_VIOLATION } from '../database/database-failure.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import { MEMBERS_MAX } from '../people/invitations.js';

/** Somebody as a provider knows them, for one account alone: another account may not trust that provider. */
export interface Identity {
  readonly accountId: string;
  readonly issuer: string;
  readonly subject: string;
}

/** The member that an identity is bound to. */
export async function findMemberOf(
  db: Database,
  { accountId, issuer, subject }: Identity,
): Promise<string | null> {
  const [found] = await rowsOf(db, { user_id: text })`
    SELECT user_id FROM sso_identities
    WHERE account_id = ${accountId} AND issuer = ${issuer} AND subject = ${subject}`;
  return found?.user_id ?? null;
}

/** Whether the account takes one more. An invited address has its place already. */
const hasRoomFor = (accountId: string, email: string): Prisma.Sql => Prisma.sql`
  (SELECT count(*) FROM memberships m WHERE m.account_id = ${accountId})
    + (SELECT count(*) FROM invitations i WHERE i.account_id = ${accountId} AND i.email <> ${email}) < ${MEMBERS_MAX}`;

/** Takes the open invitation of the address: its role counts instead of the default one. */
const takesInvitation = (accountId: string, email: string): Prisma.Sql => Prisma.sql`
  DELETE FROM invitations i WHERE i.account_id = ${accountId} AND i.email = ${email} AND i.expires_at > now()
  RETURNING i.role`;

/** Binds an identity to a user, who becomes a member if they are none. False where the account is full, or the identity is somebody else's already. */
export async function bindIdentity(
  db: Database,
  { accountId, issuer, subject }: Identity,
  { userId, email, role }: { readonly userId: string; readonly email: string; readonly role: Role },
  audit: Audit,
): Promise<boolean> {
  const bound = await db.$executeRaw`
    WITH invited AS (${takesInvitation(accountId, email)}), joined AS (
      INSERT INTO memberships (account_id, user_id, role)
      SELECT ${accountId}, ${userId}, coalesce((SELECT i.role FROM invited i), ${role})
      WHERE (EXISTS (SELECT FROM memberships m WHERE m.account_id = ${accountId} AND m.user_id = ${userId})
          OR ${hasRoomFor(accountId, email)})
        AND NOT EXISTS (
          SELECT FROM sso_identities s WHERE s.account_id = ${accountId} AND s.issuer = ${issuer} AND s.subject = ${subject})
      ON CONFLICT (account_id, user_id) DO UPDATE SET role = memberships.role
      RETURNING account_id, user_id, role
    ), bound AS (
      INSERT INTO sso_identities (account_id, issuer, subject, user_id)
      SELECT j.account_id, ${issuer}, ${subject}, j.user_id FROM joined j
      ON CONFLICT (account_id, issuer, subject) DO NOTHING
      RETURNING user_id
    )
    ${insertAudit(accountId, audit, Prisma.sql`(SELECT jsonb_build_object('role', j.role) FROM joined j)`)}
    WHERE EXISTS (SELECT FROM bound)`;
  return bound > 0;
}

interface NewMember {
  readonly userId: string;
  readonly email: string;
  readonly mailbox: string;
  readonly name: string | null;
  /** Of a random password that was thrown away. */
  readonly passwordHash: string;
  readonly role: Role;
  /** The provider says that the address is theirs. */
  readonly verified: boolean;
}

/** Makes a user of the account alone. False where the account is full or the mailbox has a user. */
export async function joinBySignOn(
  db: Database,
  { accountId, issuer, subject }: Identity,
  { userId, email, mailbox, name, passwordHash, role, verified }: NewMember,
  audit: Audit,
): Promise<boolean> {
  try {
    const joined = await db.$executeRaw`
      WITH invited AS (${takesInvitation(accountId, email)}), person AS (
        INSERT INTO users (id, account_id, email, mailbox, name, password_hash, email_verified_at)
        SELECT ${userId}, ${accountId}, ${email}, ${mailbox}, ${name}, ${passwordHash}, CASE WHEN ${verified} THEN now() END
        WHERE ${hasRoomFor(accountId, email)} RETURNING id
      ), joined AS (
        INSERT INTO memberships (account_id, user_id, role)
        SELECT ${accountId}, p.id, coalesce((SELECT i.role FROM invited i), ${role}) FROM person p RETURNING user_id, role
      ), bound AS (
        INSERT INTO sso_identities (account_id, issuer, subject, user_id)
        SELECT ${accountId}, ${issuer}, ${subject}, j.user_id FROM joined j RETURNING user_id
      )
      ${insertAudit(accountId, audit, Prisma.sql`(SELECT jsonb_build_object('role', j.role) FROM joined j)`)}
      WHERE EXISTS (SELECT FROM bound)`;
    return joined > 0;
  } catch (error) {
    if (sqlStateOf(error) === UNIQUE_VIOLATION) return false;
    throw error;
  }
}
