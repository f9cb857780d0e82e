import { SSO_ROLES } from '@verdict/domain/role.js';
import { type Static, Type } from 'typebox';
import { EmailSchema, OtpSchema, PasswordSchema } from './auth-api.js';
import { PlainText, Success } from './common.js';

const CLOSED = { additionalProperties: false };
const SSO_DOMAINS_MAX = 20;

/** The page of the dashboard that identity providers send people back to. */
export const SSO_CALLBACK = '/sso';

const DefaultRoleSchema = Type.Enum(SSO_ROLES, {
  description: 'Role of people who log in for the first time',
});

const SsoSchema = Type.Object(
  {
    issuer: Type.String({ description: 'URL of the identity provider' }),
    client_id: Type.String({ description: 'Of Verdict at the provider' }),
    default_role: DefaultRoleSchema,
    enforce: Type.Boolean({
      description: 'Members log in with single sign-on only; owners keep their passwords',
    }),
    domains: Type.Array(
      Type.Object(
        {
          domain: Type.String({ description: 'Addresses of this domain log in at the provider' }),
          proven: Type.Boolean({
            description: 'The TXT record was found, or an operator granted the domain',
          }),
          record_name: Type.String({ description: 'Name of the TXT record that proves the domain' }),
          record_value: Type.String({ description: 'Its value' }),
        },
        CLOSED,
      ),
    ),
  },
  CLOSED,
);
export type Sso = Static<typeof SsoSchema>;

export const SsoReplySchema = Success({
  available: Type.Boolean({
    description: 'false: the server has no SECRETS_KEY to keep the client secret with',
  }),
  callback: Type.String({ description: 'Path of the redirect URI that the provider must allow' }),
  sso: Type.Union([SsoSchema, Type.Null()], { description: 'null: not set up' }),
});

export const SetSsoBodySchema = Type.Object(
  {
    issuer: Type.String({ minLength: 1, maxLength: 500, description: 'URL of the identity provider' }),
    client_id: PlainText(200, 'Of Verdict at the provider'),
    client_secret: Type.Optional(PlainText(500, 'Leave out to keep the present one of the same issuer')),
    domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: SSO_DOMAINS_MAX }),
    default_role: DefaultRoleSchema,
    enforce: Type.Boolean({ description: 'Needs a proven domain' }),
  },
  CLOSED,
);
export type SetSsoBody = Static<typeof SetSsoBodySchema>;

export const StartSsoBodySchema = Type.Object({ email: EmailSchema }, CLOSED);

export const StartSsoReplySchema = Success({
  url: Type.String({
    description: 'Page of the identity provider; open it in this browser within ten minutes',
  }),
});

export const FinishSsoBodySchema = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: 'The query that the provider sent the browser back with, such as ?code=…&state=…',
    }),
  },
  CLOSED,
);

export const SsoLinkReplySchema = Success({
  email: Type.String({ description: 'A login with a password; confirm it with POST /auth/sso/link/' }),
});

export const LinkSsoBodySchema = Type.Object(
  { password: PasswordSchema, otp: Type.Optional(OtpSchema) },
  CLOSED,
);
