import { ROLES } from '@verdict/domain/role.js';
import type { Database } from '../database/client.js';
import { oneOf, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

const Membership = { id: text, name: text, plan: text, role: oneOf(...ROLES) };
export type Membership = RowOf<typeof Membership>;

/** The accounts that a user belongs to, the oldest membership first. */
export const listMemberships = (db: Database, userId: string): Promise<Membership[]> =>
  rowsOf(db, Membership)`
    SELECT a.id, a.name, a.plan, m.role FROM memberships m JOIN accounts a ON a.id = m.account_id
    WHERE m.user_id = ${userId} ORDER BY m.created_at, a.id`;
