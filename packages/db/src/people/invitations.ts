import { ROLES, type Role } from '@verdict/domain/role.js';
import { type Audit, audited, insertAudit } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { bool, columnsOf, oneOf, type RowOf, text } from '../database/columns.js';
import { sqlStateOf, UNIQUE_VIOLATION } from '../database/database-failure.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

const InvitationRow = columnsOf('invitation');
export type InvitationRow = RowOf<typeof InvitationRow>;

const SHOWN = Prisma.sql`
  id, email, role, ${timestampText('created_at')} AS created_at, ${timestampText('expires_at')} AS expires_at`;

/** Members and open invitations of an account together. */
export const MEMBERS_MAX = 200;

interface NewInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly tokenHash: string;
  readonly mailed: boolean;
  readonly invitedBy: string;
  readonly lifeSeconds: number;
}

/** The open invitations of an account. */
export function createInvitations(db: Database, accountId: string) {
  return {
    list: (): Promise<InvitationRow[]> =>
      rowsOf(db, InvitationRow)`
        SELECT ${SHOWN} FROM invitations WHERE account_id = ${accountId} AND invitations.expires_at > now()
        ORDER BY invitations.created_at, id`,

    /** Replaces an earlier invitation of the address. Null where the address is a member's or the account is full. */
    async create(invitation: NewInvitation, audit: Audit): Promise<InvitationRow | null> {
      const { id, email, role, tokenHash, mailed, invitedBy, lifeSeconds } = invitation;
      const change = Prisma.sql`
        INSERT INTO invitations (id, account_id, email, role, token_hash, mailed, invited_by, expires_at)
        SELECT ${id}, ${accountId}, ${email}, ${role}, ${tokenHash}, ${mailed}, ${invitedBy},
               now() + make_interval(secs => ${lifeSeconds})
        WHERE NOT EXISTS (
            SELECT FROM memberships m JOIN users u ON u.id = m.user_id
            WHERE m.account_id = ${accountId} AND u.email = ${email})
          AND (SELECT count(*) FROM memberships m WHERE m.account_id = ${accountId})
            + (SELECT count(*) FROM invitations i WHERE i.account_id = ${accountId} AND i.email <> ${email}) < ${MEMBERS_MAX}
        ON CONFLICT (account_id, email) DO UPDATE SET
          (id, role, token_hash, mailed, invited_by, created_at, expires_at) =
          ROW(excluded.id, excluded.role, excluded.token_hash, excluded.mailed, excluded.invited_by, now(), excluded.expires_at)
        RETURNING ${SHOWN}`;
      const [created] = await rowsOf(db, InvitationRow)(audited(accountId, change, audit));
      return created ?? null;
    },

    /** Null where it is gone already, or offers what its author may not take back. */
    async withdraw(id: string, roles: readonly Role[], audit: Audit): Promise<boolean> {
      const change = Prisma.sql`
        DELETE FROM invitations WHERE account_id = ${accountId} AND id = ${id} AND role = ANY(${[...roles]}::text[])
        RETURNING id`;
      return (await db.$executeRaw(audited(accountId, change, audit))) > 0;
    },
  };
}

const OpenInvitation = {
  id: text,
  account_id: text,
  account_name: text,
  email: text,
  role: oneOf(...ROLES),
  registered: bool,
};
export type OpenInvitation = RowOf<typeof OpenInvitation>;

/** The invitation of a link while it is good, for the holder of the link. */
export async function findInvitation(db: Database, tokenHash: string): Promise<OpenInvitation | null> {
  const [found] = await rowsOf(db, OpenInvitation)`
    SELECT i.id, i.account_id, a.name AS account_name, i.email, i.role,
           EXISTS (SELECT FROM users u WHERE u.email = i.email) AS registered
    FROM invitations i JOIN accounts a ON a.id = i.account_id
    WHERE i.token_hash = ${tokenHash} AND i.expires_at > now()`;
  return found ?? null;
}

/** Takes the invitation: of two who show its link at the same moment one gets it. */
const takes = (tokenHash: string): Prisma.Sql => Prisma.sql`
  DELETE FROM invitations i WHERE i.token_hash = ${tokenHash} AND i.expires_at > now()`;

/** Audits a membership that the statement before it gave. */
const notesJoin = (accountId: string, audit: Audit): Prisma.Sql => Prisma.sql`
  ${insertAudit(accountId, audit, Prisma.sql`(SELECT jsonb_build_object('role', j.role) FROM joined j)`)}
  WHERE EXISTS (SELECT FROM joined)`;

/** A user joins. False where the invitation is gone or for another address. A member keeps the role they have. */
export async function joinAsUser(
  db: Database,
  { tokenHash, accountId, userId }: { tokenHash: string; accountId: string; userId: string },
  audit: Audit,
): Promise<boolean> {
  const noted = await db.$executeRaw`
    WITH taken AS (
      ${takes(tokenHash)} AND i.email = (SELECT u.email FROM users u WHERE u.id = ${userId})
      RETURNING i.account_id, i.role
    ), joined AS (
      INSERT INTO memberships (account_id, user_id, role) SELECT t.account_id, ${userId}, t.role FROM taken t
      ON CONFLICT (account_id, user_id) DO UPDATE SET role = memberships.role
      RETURNING role)
    ${notesJoin(accountId, audit)}`;
  return noted > 0;
}

interface NewMember {
  readonly userId: string;
  readonly accountId: string;
  readonly mailbox: string;
  readonly name: string | null;
  readonly passwordHash: string;
}

/** Registers the invited address as a user who belongs to the account alone. False where the invitation or the address is gone. */
export async function joinAsNewUser(
  db: Database,
  tokenHash: string,
  { userId, accountId, mailbox, name, passwordHash }: NewMember,
  audit: Audit,
): Promise<boolean> {
  try {
    const noted = await db.$executeRaw`
      WITH taken AS (
        ${takes(tokenHash)} RETURNING i.account_id, i.role, i.email, i.mailed
      ), person AS (
        INSERT INTO users (id, account_id, email, mailbox, name, password_hash, email_verified_at)
        SELECT ${userId}, t.account_id, t.email, ${mailbox}, ${name}, ${passwordHash}, CASE WHEN t.mailed THEN now() END
        FROM taken t RETURNING id
      ), joined AS (
        INSERT INTO memberships (account_id, user_id, role) SELECT t.account_id, p.id, t.role FROM taken t, person p
        RETURNING role)
      ${notesJoin(accountId, audit)}`;
    return noted > 0;
  } catch (error) {
    if (sqlStateOf(error) === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

/** Every invitation of an address. */
export async function deleteInvitationsOf(db: Database, email: string): Promise<void> {
  await db.invitation.deleteMany({ where: { email } });
}

export const deleteExpiredInvitations = (db: Database): Promise<number> =>
  db.$executeRaw`DELETE FROM invitations WHERE expires_at < now()`;
