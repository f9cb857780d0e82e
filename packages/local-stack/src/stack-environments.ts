import { publicKeySet } from '../../../scripts/lib/signing-jwk.mjs';
import type { Settings } from './child-environment.js';
import type { TestDatabase } from './create-database.js';
import { freePort } from './free-port.js';
import { createSecrets, type Secrets } from './secrets.js';
import { SERVICES, type ServiceName } from './start-service.js';

export type Environments = Readonly<Record<ServiceName, Settings>>;

/** The shared settings of one stack. Addresses are fixed before anything starts. */
interface StackFacts {
  readonly redisUrl: string;
  /** By the service that reaches it. */
  readonly databaseUrls: { readonly controlPlane: string; readonly worker: string };
  readonly scoringUrls: readonly string[];
  readonly controlPlane: { readonly PORT: number; readonly INTERNAL_PORT: number };
  readonly secrets: Secrets;
}

/** The environment of each service, for `npm start` and tests alike; the other ports are added. */
export function serviceEnvironments(facts: StackFacts): Environments {
  const { controlPlane, databaseUrls, secrets } = facts;
  const asking = {
    REDIS_URL: facts.redisUrl,
    SCORING_URLS: facts.scoringUrls.join(','),
    INTERNAL_TOKEN: secrets.internal_token,
  };
  const storing = {
    ...asking,
    SECRETS_KEY: secrets.secrets_key,
    EMAIL_HASH_SECRET: secrets.email_hash_secret,
    // On one machine the webhook receiver is on loopback too.
    WEBHOOK_LOOPBACK: 'allowed',
  };
  const internal = { CONTROL_PLANE_INTERNAL_URL: `http://127.0.0.1:${controlPlane.INTERNAL_PORT}` };
  const tokens = { JWT_PUBLIC_KEYS: publicKeySet(secrets.signing_jwk) };
  return {
    scoring: {},
    'control-plane': {
      ...{ ...storing, ...tokens, ...controlPlane },
      DATABASE_URL: databaseUrls.controlPlane,
      JWT_SIGNING_KEY: JSON.stringify(secrets.signing_jwk),
    },
    worker: { ...storing, ...internal, DATABASE_URL: databaseUrls.worker },
    gateway: {
      ...{ ...asking, ...internal, ...tokens },
      CONTROL_PLANE_URL: `http://127.0.0.1:${controlPlane.PORT}`,
    },
  };
}

export interface StackEnvironmentOptions {
  readonly scorings?: number;
  /** Settings on top of the stack's own, for all services or for one. */
  readonly env?: Readonly<Partial<Record<ServiceName | 'all', Settings>>>;
}

/** Settings of every test's stack, each for the services that know it. */
const FOR_TESTS = {
  // Longer than in production: a machine that is busy with other tests is not what a test is about. Redis has less,
  // because tests freeze it and wait until it is given up.
  REDIS_TIMEOUT_MS: 6_000,
  SCORING_DEADLINE_MS: 20_000,
  CONTROL_PLANE_TIMEOUT_MS: 20_000,
  HOOK_ANSWER_MS: 20_000,
  SSO_DEADLINE_MS: 20_000,
  // How long an answer takes says something about the machine here; tests that are about it set their own.
  SLOW_ANSWER_MS: 600_000,
  // Argon2 at its real cost is 36 ms of processor for every registration and login, and few tests are about that.
  PASSWORD_HASH_COST: 'insecure-for-tests',
  // Tests change an account more often than a person does.
  CHANGES_PER_HOUR: 1_000_000,
  // Tests send many numbered addresses of one domain, and few are about what that means.
  BURSTS: 'off',
  // The discard port has no listener, so a look-up there is refused immediately instead of leaving the machine.
  DNS_SERVERS: '127.0.0.1:9',
};

/** The environments of a test's own stack: fresh secrets, free ports, no DNS but the test's. */
export async function stackEnvironments(
  redisUrl: string,
  database: Pick<TestDatabase, 'urlOf'>,
  { scorings = 1, env = {} }: StackEnvironmentOptions = {},
): Promise<Environments> {
  const ports = await Promise.all(Array.from({ length: scorings + 2 }, () => freePort()));
  const [PORT = 0, INTERNAL_PORT = 0, ...scoringPorts] = ports;
  const own = serviceEnvironments({
    redisUrl,
    databaseUrls: { controlPlane: database.urlOf('control_plane'), worker: database.urlOf('worker') },
    scoringUrls: scoringPorts.map((port) => `http://127.0.0.1:${port}`),
    controlPlane: { PORT, INTERNAL_PORT },
    secrets: createSecrets(),
  });
  const all = SERVICES.map((name) => [name, { ...own[name], ...FOR_TESTS, ...env.all, ...env[name] }]);
  return Object.fromEntries(all) as Environments;
}
