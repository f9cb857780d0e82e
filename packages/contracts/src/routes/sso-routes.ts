import { TokensReplySchema } from '../dashboard/auth-api.js';
import { DoneSchema } from '../dashboard/common.js';
import {
  FinishSsoBodySchema,
  LinkSsoBodySchema,
  SetSsoBodySchema,
  SsoLinkReplySchema,
  SsoReplySchema,
  StartSsoBodySchema,
  StartSsoReplySchema,
} from '../dashboard/sso-api.js';
import { route } from './route.js';
import { TAKES } from './takes.js';

/** Single sign-on with OpenID Connect: what an account sets up, and how its members log in. */
export const SSO_ROUTES = {
  show: route({
    method: 'GET',
    path: '/dashboard/sso/',
    callers: 'user',
    takes: TAKES.read,
    tag: 'members',
    summary: 'The single sign-on of the account',
    description: 'Shows the TXT record of each domain. The client secret is never shown.',
    replies: { 200: SsoReplySchema },
  }),
  set: route({
    method: 'PUT',
    path: '/dashboard/sso/',
    callers: 'user',
    takes: TAKES.change,
    tag: 'members',
    summary: 'Set up single sign-on, or change it',
    description:
      'Reads the configuration of the provider first. Another issuer or client ends the logins that came through the one before.',
    body: SetSsoBodySchema,
    replies: { 200: SsoReplySchema },
    codes: ['not_set_up'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/dashboard/sso/',
    callers: 'user',
    takes: TAKES.act,
    tag: 'members',
    summary: 'Remove single sign-on',
    description:
      'Ends the logins that came through it. Its users stay members; they reset their password to log in.',
    replies: { 200: DoneSchema },
    codes: [404],
  }),
  prove: route({
    method: 'POST',
    path: '/dashboard/sso/domains/check/',
    callers: 'user',
    takes: TAKES.change,
    tag: 'members',
    summary: 'Look for the TXT records of domains that are not proven yet',
    description: 'A domain stays proven when its record goes. Only one account can have a domain.',
    replies: { 200: SsoReplySchema },
    codes: [404],
  }),
  start: route({
    method: 'POST',
    path: '/auth/sso/start/',
    callers: 'anyone',
    changesNothing: true,
    takes: TAKES.attempt,
    tag: 'auth',
    summary: 'Begin a login with single sign-on',
    description:
      'Finds the account by the domain of the address, and sets a cookie that the end of the login needs.',
    body: StartSsoBodySchema,
    replies: { 200: StartSsoReplySchema },
    codes: ['sso_failed', 403, 'login_locked', 'sso_unavailable'],
  }),
  startOperator: route({
    method: 'POST',
    path: '/auth/sso/operators/',
    callers: 'anyone',
    changesNothing: true,
    takes: TAKES.attempt,
    tag: 'auth',
    summary: 'Begin the login of an operator with the identity provider of this server',
    description: 'Sets a cookie that the end of the login needs. The groups of the person give the role.',
    replies: { 200: StartSsoReplySchema },
    codes: [404, 'sso_failed', 403, 'login_locked', 'sso_unavailable'],
  }),
  finish: route({
    method: 'POST',
    path: '/auth/sso/finish/',
    callers: 'anyone',
    takes: TAKES.attempt,
    tag: 'auth',
    summary: 'Log in with the answer of the identity provider',
    description:
      'Sets the same cookie as a login with `cookie: true`. Answers 202 where the address has a login with a password, which must be confirmed once.',
    body: FinishSsoBodySchema,
    replies: { 200: TokensReplySchema, 202: SsoLinkReplySchema },
    codes: ['sso_failed', 403, 'sso_refused', 'login_locked', 'sso_unavailable'],
  }),
  link: route({
    method: 'POST',
    path: '/auth/sso/link/',
    callers: 'anyone',
    takes: TAKES.attempt,
    tag: 'auth',
    summary: 'Connect a login with a password to single sign-on',
    description:
      'Follows a 202 within ten minutes in the same browser. The next login goes without the password.',
    body: LinkSsoBodySchema,
    replies: { 200: TokensReplySchema },
    codes: [
      'invalid_credentials',
      'second_factor_required',
      'second_factor_wrong',
      'sso_failed',
      403,
      'sso_refused',
      'login_locked',
    ],
  }),
};
