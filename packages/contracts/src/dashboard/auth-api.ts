import { type Static, Type } from 'typebox';
import { NullableStringSchema, PlainText, Success, TimestampSchema } from './common.js';

/** Long enough to resist guessing, short enough that hashing stays cheap. */
export const PASSWORD_LENGTH_MIN = 10;
export const PASSWORD_LENGTH_MAX = 128;

const EmailSchema = Type.String({ minLength: 1, maxLength: 512, description: 'Address of the user' });
const PasswordSchema = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX });
const RefreshSchema = Type.String({ minLength: 1, maxLength: 4096, description: 'The newest refresh token' });

export const RegisterBodySchema = Type.Object(
  {
    email: EmailSchema,
    password: Type.String({
      minLength: PASSWORD_LENGTH_MIN,
      maxLength: PASSWORD_LENGTH_MAX,
      description: 'Not a common one',
    }),
    name: Type.Optional(PlainText(100, 'What to call the user')),
  },
  { additionalProperties: false },
);
export type RegisterBody = Static<typeof RegisterBodySchema>;

export const UserSchema = Type.Object(
  { id: Type.String(), email: Type.String(), name: NullableStringSchema, created_at: TimestampSchema },
  { additionalProperties: false },
);

export const AccountSchema = Type.Object(
  { id: Type.String(), name: Type.String(), plan: Type.String() },
  { additionalProperties: false },
);

export const UserReplySchema = Success({ user: UserSchema, account: AccountSchema });
export type UserReply = Static<typeof UserReplySchema>;

export const LoginBodySchema = Type.Object(
  { email: EmailSchema, password: PasswordSchema },
  { additionalProperties: false },
);
export type LoginBody = Static<typeof LoginBodySchema>;

export const TokensReplySchema = Success({
  access: Type.String({ description: 'Bearer token for the dashboard endpoints' }),
  refresh: Type.String({ description: 'Good for one refresh' }),
});
export type TokensReply = Static<typeof TokensReplySchema>;

export const RefreshBodySchema = Type.Object({ refresh: RefreshSchema }, { additionalProperties: false });
export type RefreshBody = Static<typeof RefreshBodySchema>;

export const VerifyBodySchema = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 4096, description: 'An access token' }) },
  { additionalProperties: false },
);
export type VerifyBody = Static<typeof VerifyBodySchema>;

export const SetPasswordBodySchema = Type.Object(
  {
    current_password: PasswordSchema,
    new_password: Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX }),
  },
  { additionalProperties: false },
);
export type SetPasswordBody = Static<typeof SetPasswordBodySchema>;
