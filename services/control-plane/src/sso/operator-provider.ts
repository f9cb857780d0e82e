import { OPERATOR_ROLES, type OperatorRole } from '@verdict/domain/role.js';
import { valuesOf } from '@verdict/service-kit/settings.js';
import { type Static, Type } from 'typebox';
import type { Client } from './identity-providers.js';

/** The identity provider of this server, for the people who run it. */
export const OPERATOR_SSO_SETTINGS = {
  OPERATOR_SSO_ISSUER: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'Identity provider that operators log in with; its redirect URI is /sso of this server',
    }),
  ),
  OPERATOR_SSO_CLIENT_ID: Type.Optional(
    Type.String({ minLength: 1, description: 'Of Verdict at the provider' }),
  ),
  OPERATOR_SSO_CLIENT_SECRET: Type.Optional(
    Type.String({ minLength: 1, description: 'Of Verdict at the provider' }),
  ),
  OPERATOR_SSO_GROUPS: Type.Optional(
    Type.String({
      pattern: `^((${OPERATOR_ROLES.join('|')})=[^,\\s][^,]*(, *|$))+$`,
      description: 'Roles by group: support=helpdesk,finance=accounting,admin=verdict-admins',
    }),
  ),
  OPERATOR_SSO_CLAIM: Type.String({
    minLength: 1,
    default: 'groups',
    description: 'Claim that lists the groups of a person',
  }),
};
const NEEDED = [
  'OPERATOR_SSO_CLIENT_ID',
  'OPERATOR_SSO_CLIENT_SECRET',
  'OPERATOR_SSO_GROUPS',
  'SECRETS_KEY',
] as const;

const Settings = Type.Object(OPERATOR_SSO_SETTINGS);
type OperatorSsoConfig = Readonly<Static<typeof Settings>> & { readonly SECRETS_KEY?: string };

/** For readConfig: with an issuer these are needed too. */
export const missingOperatorSso = (config: OperatorSsoConfig): string[] =>
  config.OPERATOR_SSO_ISSUER === undefined
    ? []
    : NEEDED.filter((name) => config[name] === undefined).map(
        (name) => `${name} is missing: OPERATOR_SSO_ISSUER needs it`,
      );

export interface OperatorProvider extends Client {
  readonly groupsClaim: string;
  /** The highest role of these groups; null where none has one. */
  roleOf(groups: readonly string[]): OperatorRole | null;
}

export function readOperatorProvider(config: OperatorSsoConfig): OperatorProvider | null {
  const {
    OPERATOR_SSO_ISSUER: issuer,
    OPERATOR_SSO_CLIENT_ID: clientId,
    OPERATOR_SSO_CLIENT_SECRET: clientSecret,
    OPERATOR_SSO_GROUPS: groups,
    OPERATOR_SSO_CLAIM: groupsClaim,
  } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || groups === undefined)
    return null;
  const granted = valuesOf(groups).map((pair) => pair.split(/=(.*)/s));
  return {
    owner: 'operators',
    ...{ issuer, clientId, clientSecret, groupsClaim },
    roleOf: (of) =>
      OPERATOR_ROLES.findLast((role) =>
        granted.some(([name, group = '']) => name === role && of.includes(group.trim())),
      ) ?? null,
  };
}
