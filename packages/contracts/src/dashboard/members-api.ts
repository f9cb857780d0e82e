import { ROLES } from '@verdict/domain/role.js';
import { type Static, Type } from 'typebox';
import { EmailSchema, LinkTokenSchema, NewPasswordSchema } from './auth-api.js';
import { NullableStringSchema, PlainText, Success, TimestampSchema } from './common.js';

const CLOSED = { additionalProperties: false };

const RoleSchema = Type.Enum(ROLES, {
  description:
    'owner: everything; admin: everything but money, owners and deleting the account; analyst: checks, lists and files; billing: usage and money, no addresses',
});

export const MemberSchema = Type.Object(
  {
    id: Type.String({ description: 'Of the user; begins with usr_' }),
    email: Type.String(),
    name: NullableStringSchema,
    role: RoleSchema,
    second_factor: Type.Boolean({ description: 'A login asks for a code of an authenticator app' }),
    created_at: { ...TimestampSchema, description: 'When they joined' },
  },
  CLOSED,
);
export type Member = Static<typeof MemberSchema>;

export const InvitationSchema = Type.Object(
  {
    id: Type.String({ description: 'Begins with inv_' }),
    email: Type.String(),
    role: RoleSchema,
    created_at: TimestampSchema,
    expires_at: TimestampSchema,
  },
  CLOSED,
);
export type Invitation = Static<typeof InvitationSchema>;

export const MembersReplySchema = Success({
  members: Type.Array(MemberSchema, { description: 'The oldest member first' }),
  invitations: Type.Array(InvitationSchema, { description: 'Not accepted yet' }),
});

export const ChangeMemberBodySchema = Type.Object({ role: RoleSchema }, CLOSED);

export const InviteBodySchema = Type.Object({ email: EmailSchema, role: RoleSchema }, CLOSED);

export const InvitedReplySchema = Success({
  invitation: InvitationSchema,
  link: Type.Union([Type.String(), Type.Null()], {
    description: 'Path and fragment of the page that accepts it, shown once; null where it was mailed',
  }),
});

export const InvitationLinkBodySchema = Type.Object({ token: LinkTokenSchema }, CLOSED);

export const InvitationShownReplySchema = Success({
  email: Type.String({ description: 'The invited address' }),
  role: RoleSchema,
  account: Type.Object({ id: Type.String(), name: Type.String() }, CLOSED),
  registered: Type.Boolean({ description: 'The address has a login, which accepts it' }),
});

export const JoinBodySchema = Type.Object(
  {
    token: LinkTokenSchema,
    password: NewPasswordSchema,
    name: Type.Optional(PlainText(100, 'Name of the user')),
  },
  CLOSED,
);

export const SwitchBodySchema = Type.Object(
  { account_id: Type.String({ minLength: 1, maxLength: 64, description: 'An account of the user' }) },
  CLOSED,
);
