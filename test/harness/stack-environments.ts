import { randomBytes } from 'node:crypto';
import { freePort } from '@verdict/local-stack/free-port.js';
import { createSigningKey } from './signing-key.js';
import type { ServiceEnvironment, ServiceName } from './start-service.js';

export interface StackEnvironmentOptions {
  readonly scorings?: number;
  /** The loopback DNS server of the test, as DNS_SERVERS wants it. Without one every look-up fails at once. */
  readonly dnsServers?: string;
  /** Settings on top of the stack's own, for all services or for one. */
  readonly env?: Readonly<Partial<Record<ServiceName | 'all', ServiceEnvironment>>>;
}

/** Nothing listens on the discard port, so a look-up there is refused at once instead of leaving the machine. */
const NO_DNS = '127.0.0.1:9';

/** What each service is told. Addresses of scoring and the control plane are settled before they are started. */
export async function stackEnvironments(
  options: StackEnvironmentOptions,
  redisUrl: string,
  databaseUrl: string,
): Promise<Record<ServiceName, ServiceEnvironment>> {
  const secret = () => randomBytes(24).toString('base64url');
  const signing = createSigningKey();
  const [controlPort, controlInternalPort] = [await freePort(), await freePort()];
  const scoringUrls: string[] = [];
  while (scoringUrls.length < (options.scorings ?? 1))
    scoringUrls.push(`http://127.0.0.1:${await freePort()}`);

  const shared = {
    REDIS_URL: redisUrl,
    SCORING_URLS: scoringUrls.join(','),
    INTERNAL_TOKEN: secret(),
    JWT_PUBLIC_KEYS: signing.publicKeySet,
    CONTROL_PLANE_URL: `http://127.0.0.1:${controlPort}`,
    CONTROL_PLANE_INTERNAL_URL: `http://127.0.0.1:${controlInternalPort}`,
  };
  const own: Record<ServiceName, ServiceEnvironment> = {
    scoring: { DNS_SERVERS: options.dnsServers ?? NO_DNS },
    'control-plane': {
      ...shared,
      PORT: controlPort,
      INTERNAL_PORT: controlInternalPort,
      DATABASE_URL: databaseUrl,
      JWT_SIGNING_KEY: signing.privateJwk,
    },
    worker: { ...shared, DATABASE_URL: databaseUrl, EMAIL_HASH_SECRET: secret() },
    gateway: shared,
  };
  const complete = (name: ServiceName) => ({ ...own[name], ...options.env?.all, ...options.env?.[name] });
  return {
    scoring: complete('scoring'),
    'control-plane': complete('control-plane'),
    worker: complete('worker'),
    gateway: complete('gateway'),
  };
}
