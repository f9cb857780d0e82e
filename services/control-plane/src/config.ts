import { createPrivateKey } from 'node:crypto';
import { assetPath } from '@verdict/domain/asset-path.js';
import { missingMailSettings, SMTP_URL } from '@verdict/mail/mail-settings.js';
import { readConfig } from '@verdict/service-kit/config.js';
import { ConfigError } from '@verdict/service-kit/config-error.js';
import { PLANS_SETTING } from '@verdict/service-kit/plans-setting.js';
import { kidOf, parseJwk, readPublicKeys, toPem } from '@verdict/service-kit/public-keys.js';
import { missingRedis, REDIS_SETTINGS } from '@verdict/service-kit/redis-settings.js';
import { EMAIL_HASH_SECRET, SECRETS_KEY } from '@verdict/service-kit/secrets-setting.js';
import {
  BURSTS_SETTING,
  Count,
  DNS_SETTING,
  DRAIN_SETTING,
  FACTS_SETTING,
  PATIENCE_SETTING,
  Port,
} from '@verdict/service-kit/settings.js';
import { WEBHOOK_SETTINGS } from '@verdict/service-kit/webhook-settings.js';
import { type Static, Type } from 'typebox';
import { missingOperatorSso, OPERATOR_SSO_SETTINGS } from './sso/operator-provider.js';

const DASHBOARD_DIRECTORY = assetPath('dashboard');

/** The cost of a password hash. Two names instead of numbers, so that no typo weakens every password. */
const PASSWORDS = {
  PASSWORD_HASH_COST: Type.Union([Type.Literal('owasp'), Type.Literal('insecure-for-tests')], {
    default: 'owasp',
    description: 'insecure-for-tests: hash passwords cheaply; refused when NODE_ENV is production',
  }),
};

const weakInProduction = (config: Pick<ControlPlaneConfig, 'PASSWORD_HASH_COST'>): string[] =>
  config.PASSWORD_HASH_COST !== 'owasp' && process.env.NODE_ENV === 'production'
    ? ['PASSWORD_HASH_COST must be owasp when NODE_ENV is production']
    : [];

const STORES = {
  ...REDIS_SETTINGS,
  ...PATIENCE_SETTING,
  DATABASE_URL: Type.String({ minLength: 1, description: 'Postgres with the accounts' }),
  ...PLANS_SETTING,
};

export const ControlPlaneConfigSchema = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', description: 'Address of the listener the gateway forwards to' }),
  PORT: Port(8083, 'Port of that listener'),
  INTERNAL_HOST: Type.String({ default: '127.0.0.1', description: 'Address of the internal listener' }),
  INTERNAL_PORT: Port(9083, 'Port of /livez, /readyz, /metrics and the gateway’s requests'),
  LOG_LEVEL: Type.String({ default: 'info', description: 'pino level' }),
  ...STORES,
  DATABASE_CONNECTIONS_MAX: Count(
    8,
    'Size of the Postgres pool, plus three connections for logins and four for searches',
  ),
  DATABASE_SEARCH_URL: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Read replica for log searches, list impact and policy backtests; default DATABASE_URL',
    }),
  ),
  BULK_STORE_MB_MAX: Count(
    20_000,
    'Megabytes of Postgres for files of all accounts; then uploads answer 503',
  ),
  JWT_SIGNING_KEY: Type.String({ minLength: 2, description: 'Private Ed25519 key as JWK with a kid' }),
  JWT_PUBLIC_KEYS: Type.String({
    minLength: 2,
    description: 'JWKS with the public keys of accepted tokens; several during a rotation',
  }),
  INTERNAL_TOKEN: Type.String({
    minLength: 16,
    description: 'Shared secret of the internal endpoints; `new,old` while it is rotated',
  }),
  SECRETS_KEY,
  EMAIL_HASH_SECRET,
  SMTP_URL,
  ...BURSTS_SETTING,
  SIGNUP: Type.Union([Type.Literal('open'), Type.Literal('closed')], {
    default: 'open',
    description: 'closed: registration is off',
  }),
  SIGNUP_CHECKS: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description: 'off: disposable addresses and other spellings of a registered mailbox may register',
  }),
  PLAN_CHANGES: Type.Union([Type.Literal('self'), Type.Literal('operator')], {
    default: 'self',
    description: 'self: customers change their plan; operator: an operator approves changes',
  }),
  ACCESS_TOKEN_SECONDS: Count(900, 'Life of an access token'),
  REFRESH_TOKEN_SECONDS: Count(1_209_600, 'Life of an unused refresh token'),
  REFRESH_GRACE_SECONDS: Count(
    20,
    'How long a replaced refresh token in a cookie still works, for tabs that refresh together',
  ),
  SESSION_SECONDS: Count(7_776_000, 'Life of a session, however often it is refreshed'),
  SCORING_URLS: Type.String({
    minLength: 1,
    description: 'Scoring replicas, separated by commas',
  }),
  // A new domain may take its DNS time.
  SCORING_DEADLINE_MS: Count(3_000, 'Deadline of scoring; then the dashboard omits its data'),
  DATASETS_DIR: Type.Optional(
    Type.String({ description: 'Folder of published lists, served to scoring on the internal port' }),
  ),
  ...FACTS_SETTING,
  TRUST_PROXY: Type.String({
    default: 'loopback',
    description: 'CIDRs of proxies whose X-Forwarded-For is trusted',
  }),
  ...PASSWORDS,
  LOGIN_WINDOW_SECONDS: Count(900, 'Window in which failed logins are counted'),
  LOGIN_FAILURES_PER_ACCOUNT: Count(10, 'Failed logins per user within the window'),
  LOGIN_FAILURES_PER_ADDRESS: Count(50, 'Failed logins per client address within the window'),
  REGISTRATIONS_PER_HOUR: Count(20, 'New accounts per client address'),
  CHANGES_PER_HOUR: Count(
    3_600,
    'Changes per account, deletions not counted, and logins per user; then they answer 429',
  ),
  ...WEBHOOK_SETTINGS,
  ...DNS_SETTING,
  SSO_DEADLINE_MS: Count(8_000, 'Deadline of an identity provider in each half of a login; then 503'),
  ...OPERATOR_SSO_SETTINGS,
  RELAY_INTERVAL_MS: Count(1_000, 'How often to retry changes that did not reach Redis'),
  SWEEP_INTERVAL_MS: Count(60_000, 'How often to compare all accounts in Redis with Postgres'),
  DASHBOARD_DIRECTORY: Type.String({
    default: DASHBOARD_DIRECTORY,
    description: 'The built web application, served at /',
  }),
  PUBLIC_PAGES: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description: 'off: / is the login, and search engines are sent away',
  }),
  ...DRAIN_SETTING,
});
export type ControlPlaneConfig = Readonly<Static<typeof ControlPlaneConfigSchema>>;

export const loadConfig = (): ControlPlaneConfig =>
  readConfig(ControlPlaneConfigSchema, process.env, (config) => [
    ...missingRedis(config),
    ...missingMailSettings(config, ['SECRETS_KEY']),
    ...missingOperatorSso(config),
    ...weakInProduction(config),
  ]);

const SeedConfigSchema = Type.Object({
  ...STORES,
  ...PASSWORDS,
  SEED_EMAIL: Type.String({ minLength: 3, description: 'Login of the demo user' }),
  SEED_PASSWORD: Type.String({
    minLength: 10,
    description: 'Password of the demo user, if it has to be made',
  }),
  SEED_API_KEY: Type.Optional(Type.String({ description: 'Key to have; one is made when left out' })),
  SEED_PLAN: Type.Optional(Type.String({ description: 'Plan of an account that has to be made' })),
});
export type SeedConfig = Readonly<Static<typeof SeedConfigSchema>>;

export const loadSeedConfig = (): SeedConfig =>
  readConfig(SeedConfigSchema, process.env, (config) => [
    ...missingRedis(config),
    ...weakInProduction(config),
  ]);

export interface SigningKeys {
  readonly kid: string;
  readonly privatePem: string;
  /** Whose tokens are accepted, by key id. */
  readonly publicPems: ReadonlyMap<string, string>;
}

/** The keys in the form that the token library wants, or one sentence about what is wrong with them. */
export function readSigningKeys(
  config: Pick<ControlPlaneConfig, 'JWT_SIGNING_KEY' | 'JWT_PUBLIC_KEYS'>,
): SigningKeys {
  const signing = parseJwk('JWT_SIGNING_KEY', config.JWT_SIGNING_KEY);
  const privatePem = toPem('JWT_SIGNING_KEY', () =>
    createPrivateKey({ key: signing, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }),
  );
  const publicPems = readPublicKeys('JWT_PUBLIC_KEYS', config.JWT_PUBLIC_KEYS);
  const kid = kidOf('JWT_SIGNING_KEY', signing);
  if (!publicPems.has(kid)) {
    throw new ConfigError(`JWT_PUBLIC_KEYS lacks the key "${kid}" that JWT_SIGNING_KEY signs with`);
  }
  return { kid, privatePem, publicPems };
}
