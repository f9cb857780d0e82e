import { PLAN_CHANGES } from '@verdict/domain/plan-request.js';
import { OPERATOR_ROLES, ROLES } from '@verdict/domain/role.js';
import { type Static, Type } from 'typebox';
import { API_PREFIX } from '../api-paths.js';
import { CountSchema, NullableStringSchema, PlainText, Success, TimestampSchema } from './common.js';

/** Long enough to resist guessing, short enough that hashing stays cheap. */
const PASSWORD_LENGTH_MIN = 10;
const PASSWORD_LENGTH_MAX = 128;

export const EmailSchema = Type.String({ minLength: 1, maxLength: 512, description: 'Address of the user' });
export const PasswordSchema = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX });
const RefreshSchema = Type.String({ minLength: 1, maxLength: 4096, description: 'The newest refresh token' });

export const RegisterBodySchema = Type.Object(
  {
    email: EmailSchema,
    password: Type.String({
      minLength: PASSWORD_LENGTH_MIN,
      maxLength: PASSWORD_LENGTH_MAX,
      description: 'Not a common one',
    }),
    name: Type.Optional(PlainText(100, 'Name of the user')),
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
    operator_role: Type.Union([Type.Enum(OPERATOR_ROLES), Type.Null()], {
      description: 'Their role there; null: not an operator',
    }),
    email_verified: Type.Boolean({ description: 'A mail to the address was answered' }),
    second_factor: Type.Boolean({ description: 'A login asks for a code of an authenticator app' }),
    created_at: TimestampSchema,
  },
  { additionalProperties: false },
);

const RoleSchema = Type.Enum(ROLES, { description: 'Role of the user in the account' });

const AccountSchema = Type.Object(
  { id: Type.String(), name: Type.String(), plan: Type.String(), role: RoleSchema },
  { additionalProperties: false },
);

const MembershipSchema = Type.Object(
  { id: Type.String(), name: Type.String(), role: RoleSchema },
  { additionalProperties: false },
);

/** The answer where mail is sent: the same for every address, registered or not. */
export const MailedReplySchema = Success({
  mail: Type.Literal('sent', { description: 'If the address can get one, a mail is on its way' }),
});

export const UserReplySchema = Success({
  user: UserSchema,
  account: { ...AccountSchema, description: 'The account of this token' },
  accounts: Type.Array(MembershipSchema, { description: 'Every account that the user belongs to' }),
});
export type UserReply = Static<typeof UserReplySchema>;

/** Where a browser keeps the refresh token: no script reads it, and no other path of ours is ever sent it. */
export const REFRESH_COOKIE = 'verdict_refresh';
export const REFRESH_COOKIE_PATH = `${API_PREFIX}/auth/`;

/** The cookie that marks a known browser, so that strangers' guesses never lock it out; it grants nothing. */
export const DEVICE_COOKIE = 'verdict_device';

/** The cookie of a login that waits for the identity provider. */
export const SIGN_ON_COOKIE = 'verdict_sign_on';

const CookieSchema = Type.Boolean({
  description: `true: the refresh token travels in the HttpOnly cookie ${REFRESH_COOKIE}, never in a body`,
});

export const OtpSchema = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'A code of the authenticator app, or a recovery code; where the user has a second factor',
});

export const LoginBodySchema = Type.Object(
  {
    email: EmailSchema,
    password: PasswordSchema,
    otp: Type.Optional(OtpSchema),
    cookie: Type.Optional(CookieSchema),
  },
  { additionalProperties: false },
);

const TOKENS = {
  access: Type.String({ description: 'Bearer token for the dashboard endpoints' }),
  refresh: Type.Optional(
    Type.String({ description: 'Good for one refresh; absent when it is in the cookie' }),
  ),
};

export const TokensReplySchema = Success(TOKENS);

export const RefreshReplySchema = Success({
  ...TOKENS,
  access: Type.Union([TOKENS.access, Type.Null()], { description: 'Null when no cookie came' }),
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
    otp: Type.Optional(OtpSchema),
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

/** Before what cannot be undone: the password once more, and the second factor where there is one. */
export const ConfirmedBodySchema = Type.Object(
  { current_password: PasswordSchema, otp: Type.Optional(OtpSchema) },
  { additionalProperties: false },
);

export const UpdateMeBodySchema = Type.Object(
  { name: Type.Union([PlainText(100, 'Name of the user'), Type.Null()]) },
  { additionalProperties: false },
);

export const ChangeEmailBodySchema = Type.Object(
  { ...ConfirmedBodySchema.properties, email: EmailSchema },
  { additionalProperties: false },
);

export const LinkTokenSchema = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'From the link in the mail',
});
export const NewPasswordSchema = Type.String({
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: PASSWORD_LENGTH_MAX,
});

export const ActivateBodySchema = Type.Object(
  {
    token: LinkTokenSchema,
    password: Type.String({
      minLength: 1,
      maxLength: PASSWORD_LENGTH_MAX,
      description: 'The password chosen at registration; a link alone activates nothing',
    }),
  },
  { additionalProperties: false },
);
export const ForgotPasswordBodySchema = Type.Object({ email: EmailSchema }, { additionalProperties: false });
export const ResetPasswordBodySchema = Type.Object(
  { token: LinkTokenSchema, new_password: NewPasswordSchema },
  { additionalProperties: false },
);
export const ConfirmAddressBodySchema = Type.Object(
  { token: LinkTokenSchema },
  { additionalProperties: false },
);

export const SecondFactorReplySchema = Success({
  available: Type.Boolean({ description: 'Whether this server can keep the secret of an app' }),
  enabled: Type.Boolean(),
  recovery_codes_left: CountSchema,
});
export type SecondFactorReply = Static<typeof SecondFactorReplySchema>;

export const SecondFactorOfferReplySchema = Success({
  secret: Type.String({ description: 'In base32, to be typed into the app' }),
  uri: Type.String({ description: 'otpauth://…, to be shown as a QR code' }),
});
export type SecondFactorOfferReply = Static<typeof SecondFactorOfferReplySchema>;

export const ConfirmSecondFactorBodySchema = Type.Object({ otp: OtpSchema }, { additionalProperties: false });
export const RecoveryCodesReplySchema = Success({
  recovery_codes: Type.Array(Type.String(), { description: 'Shown once; each works for one login' }),
});
export type RecoveryCodesReply = Static<typeof RecoveryCodesReplySchema>;

/** The settings that the login page needs before login. */
export const SettingsReplySchema = Success({
  signup: Type.Union([Type.Literal('open'), Type.Literal('closed')], {
    description: 'Whether registration is open',
  }),
  mail: Type.Boolean({ description: 'Addresses are confirmed and passwords reset by mail' }),
  plan_changes: Type.Enum(PLAN_CHANGES, {
    description: 'self: plan changes are immediate; operator: an operator approves each change',
  }),
  operator_sso: Type.Boolean({ description: 'Operators log in with the identity provider of this server' }),
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
