import type { Role } from '@verdict/domain/role.js';
import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { columnsOf, type RowOf } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

const MemberRow = columnsOf('member');
export type MemberRow = RowOf<typeof MemberRow>;

/** missing: there is no such member; protected: an owner, or a right that only owners grant; last_owner: the account would have no owner. */
export type MemberChange = 'done' | 'missing' | 'protected' | 'last_owner';

/** The members of an account. Changes of one account follow each other, so that of two owners who leave together one stays. */
export function createMembers(db: Database, accountId: string) {
  const list = (): Promise<MemberRow[]> =>
    rowsOf(db, MemberRow)`
      SELECT u.id, u.email, u.name, m.role, ${timestampText('m.created_at')} AS created_at,
             EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL) AS second_factor
      FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.account_id = ${accountId} ORDER BY m.created_at, u.id`;

  const lock = () =>
    db.$executeRaw`SELECT FROM memberships WHERE account_id = ${accountId} ORDER BY user_id FOR UPDATE`;

  /** The row of a member whom this author may change; the author's role is read under the lock. */
  const changeable = (userId: string, byUserId: string): Prisma.Sql => Prisma.sql`
    m.account_id = ${accountId} AND m.user_id = ${userId}
      AND by.account_id = ${accountId} AND by.user_id = ${byUserId}
      AND (by.role = 'owner' OR by.role = 'admin' AND m.role <> 'owner' OR by.user_id = m.user_id)`;

  const hasOtherOwner = (userId: string): Prisma.Sql => Prisma.sql`
    EXISTS (SELECT FROM memberships o WHERE o.account_id = ${accountId} AND o.user_id <> ${userId} AND o.role = 'owner')`;

  /** Ends invitations that their author may not make any more. */
  const forgetInvitationsOf = (userId: string) => db.$executeRaw`
    DELETE FROM invitations i WHERE i.account_id = ${accountId} AND i.invited_by = ${userId} AND NOT EXISTS (
      SELECT FROM memberships m WHERE m.account_id = i.account_id AND m.user_id = i.invited_by
        AND (m.role = 'owner' OR m.role = 'admin' AND i.role <> 'owner'))`;

  const reasonFor = async (userId: string, byUserId: string, role?: Role): Promise<MemberChange> => {
    const members = await list();
    const target = members.find(({ id }) => id === userId);
    if (!target) return 'missing';
    const isOwner = members.some(({ id, role: has }) => id === byUserId && has === 'owner');
    return isOwner && target.role === 'owner' && role !== 'owner' ? 'last_owner' : 'protected';
  };

  return {
    list,

    /** The answer is final: the next request of the member is judged by the new role. */
    async setRole(userId: string, role: Role, byUserId: string, audit: Audit): Promise<MemberChange> {
      const change = Prisma.sql`
        UPDATE memberships m SET role = ${role} FROM memberships by, memberships was
        WHERE ${changeable(userId, byUserId)} AND was.account_id = m.account_id AND was.user_id = m.user_id
          AND (${role} <> 'owner' OR by.role = 'owner')
          AND (m.role <> 'owner' OR ${role} = 'owner' OR ${hasOtherOwner(userId)})
        RETURNING m.user_id AS id, jsonb_build_object('previous', was.role) AS details`;
      const [, changed] = await db.$transaction([
        lock(),
        db.$executeRaw(audited(accountId, change, audit)),
        forgetInvitationsOf(userId),
      ]);
      return changed > 0 ? 'done' : reasonFor(userId, byUserId, role);
    },

    /** Ends a membership: another's, or one's own. Users who belong to no other account go with their sessions. */
    async remove(userId: string, byUserId: string, audit: Audit): Promise<MemberChange> {
      const change = Prisma.sql`
        DELETE FROM memberships m USING memberships by, users u
        WHERE ${changeable(userId, byUserId)} AND (m.role <> 'owner' OR ${hasOtherOwner(userId)}) AND u.id = m.user_id
        RETURNING m.user_id AS id, jsonb_build_object('role', m.role, 'email', u.email) AS details`;
      const [, , removed] = await db.$transaction([
        lock(),
        // Waits for an invitation that they accept elsewhere at this moment.
        db.$executeRaw`SELECT FROM users WHERE id = ${userId} FOR UPDATE`,
        db.$executeRaw(audited(accountId, change, audit)),
        forgetInvitationsOf(userId),
        db.$executeRaw`
          UPDATE users u SET account_id = other.account_id FROM memberships other
          WHERE u.id = ${userId} AND other.user_id = u.id
            AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id AND m.account_id = u.account_id)`,
        db.$executeRaw`
          DELETE FROM users u WHERE u.id = ${userId}
            AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)`,
      ]);
      return removed > 0 ? 'done' : reasonFor(userId, byUserId);
    },
  };
}
