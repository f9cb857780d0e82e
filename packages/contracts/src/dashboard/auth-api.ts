import { type Static, Type } from 'typebox';
import { API_PREFIX } from '../api-paths.js';
import { CountSchema, NullableStringSchema, PlainText, Success, TimestampSchema } from './common.js';

/** Long enough to resist guessing, short enough that hashing stays cheap. */
const PASSWORD_LENGTH_MIN = 10;
const PASSWORD_LENGTH_MAX = 128;

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

const UserSchema = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: NullableStringSchema,
    operator: Type.Boolean({ description: 'May use the operator area' }),
    created_at: TimestampSchema,
  },
  { additionalProperties: false },
);

const AccountSchema = Type.Object(
  { id: Type.String(), name: Type.String(), plan: Type.String() },
  { additionalProperties: false },
);

export const UserReplySchema = Success({ user: UserSchema, account: AccountSchema });
export type UserReply = Static<typeof UserReplySchema>;

/** Where a browser keeps the refresh token: no script reads it, and no other path of ours is ever sent it. */
export const REFRESH_COOKIE = 'verdict_refresh';
export const REFRESH_COOKIE_PATH = `${API_PREFIX}/auth/`;

const CookieSchema = Type.Boolean({
  description: `true: the refresh token travels in the HttpOnly cookie ${REFRESH_COOKIE}, never in a body`,
});

export const LoginBodySchema = Type.Object(
  { email: EmailSchema, password: PasswordSchema, cookie: Type.Optional(CookieSchema) },
  { additionalProperties: false },
);

export const TokensReplySchema = Success({
  access: Type.String({ description: 'Bearer token for the dashboard endpoints' }),
  refresh: Type.Optional(
    Type.String({ description: 'Good for one refresh; absent when it is in the cookie' }),
  ),
});

/** One of the two: the token itself, or `cookie: true` when the browser sends it. */
export const RefreshBodySchema = Type.Object(
  { refresh: Type.Optional(RefreshSchema), cookie: Type.Optional(CookieSchema) },
  { additionalProperties: false },
);
export type RefreshBody = Static<typeof RefreshBodySchema>;

export const VerifyBodySchema = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 4096, description: 'An access token' }) },
  { additionalProperties: false },
);

export const SetPasswordBodySchema = Type.Object(
  {
    current_password: PasswordSchema,
    new_password: Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX }),
  },
  { additionalProperties: false },
);

/** A new password gives its session a new refresh token, in the way in which the session has it. */
export const SetPasswordReplySchema = Success({
  refresh: Type.Optional(
    Type.String({ description: 'Replaces the refresh token; absent when it is in the cookie' }),
  ),
});

/** What the login page must know before anybody has logged in. */
export const SettingsReplySchema = Success({
  signup: Type.Union([Type.Literal('open'), Type.Literal('closed')], { description: 'Who may register' }),
  plan_changes: Type.Union([Type.Literal('self'), Type.Literal('operator')], {
    description: 'self: a plan changes at once; operator: a change is a request that an operator grants',
  }),
});
export type SettingsReply = Static<typeof SettingsReplySchema>;

const SessionSchema = Type.Object(
  {
    id: Type.String({ description: 'Begins with ses_' }),
    current: Type.Boolean({ description: 'The one that asks' }),
    created_at: TimestampSchema,
    last_used_at: { ...TimestampSchema, description: 'The last login or refresh' },
    expires_at: TimestampSchema,
    ip: NullableStringSchema,
    user_agent: NullableStringSchema,
  },
  { additionalProperties: false },
);

export const SessionsReplySchema = Success({
  sessions: Type.Array(SessionSchema, { description: 'Live logins of the user, last used first' }),
});
export const EndSessionsReplySchema = Success({ ended: CountSchema });
