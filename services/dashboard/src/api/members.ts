import type {
  Invitation as InvitationRow,
  Member as MemberRow,
} from '@verdict/contracts/dashboard/members-api.js';
import type { Role } from '@verdict/domain/role.js';
import { getQuery } from './get-query.ts';

export type Member = MemberRow;
export type Invitation = InvitationRow;
export type { Role };

export const MEMBERS = ['members'] as const;

export const membersQuery = getQuery(MEMBERS, 'GET /members/');
