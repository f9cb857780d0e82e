import { logOf } from '../../../scripts/lib/paths.mjs';
import type { Progress } from '../../../scripts/lib/progress.mjs';
import { findRedis } from '../../../scripts/lib/system-programs.mjs';
import { choosePorts } from './free-port.js';
import { inData } from './paths.js';
import { createDatabaseOnce, startPostgres } from './postgres.js';
import { migrate } from './program.js';
import { loadSecrets, type Secrets, saveSecrets } from './secrets.js';
import { DEMO_EMAIL, findSeededAccount, type SeededAccount, seedAccount } from './seed-account.js';
import { serviceEnvironments } from './stack-environments.js';
import { startRedis } from './start-redis.js';
import type { RunningServer } from './start-server.js';
import { type ServiceName, startService } from './start-service.js';

type Note = (detail: string) => void;

const PRIVATE_PORTS = [
  'postgres',
  'redis',
  'scoring',
  'scoring_internal',
  'control_plane',
  'control_plane_internal',
  'worker_internal',
  'gateway_internal',
] as const;

const SERVICES: readonly ServiceName[] = ['scoring', 'control-plane', 'worker', 'gateway'];

/**
 * Postgres settings beyond its defaults, which suit the smallest machine. Every check touches two indexes at random
 * places, so these should be in memory and checkpoints rare; docker-compose.yml sets the same.
 */
const POSTGRES_SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '15min' };

/** A start under way. */
export interface Start {
  /** Each server once it is ready. */
  readonly servers: RunningServer[];
  readonly progress: Progress;
  /** Where the public listener is. */
  readonly address: { readonly port: number; readonly host: string };
}

/** Other work of `npm start`, awaited where it is needed. */
export interface Preparation {
  /** Null where REDIS_URL names a server. */
  readonly redis: Promise<unknown> | null;
  readonly services: Promise<unknown>;
  readonly dashboard: Promise<unknown>;
}

/** Everything between an install and an answering service. */
export async function bringUp({ servers, progress, address }: Start, preparation: Preparation) {
  const secrets = loadSecrets();
  const ports = await choosePorts(PRIVATE_PORTS);
  const [databaseUrl, redisUrl] = await Promise.all([
    process.env.DATABASE_URL ??
      progress.step('postgres', (note) => bringUpPostgres(servers, ports.postgres, secrets, note)),
    preparation.redis?.then(() =>
      progress.step('redis', (note) => bringUpRedis(servers, ports.redis, secrets, note)),
    ) ?? String(process.env.REDIS_URL),
  ]);
  await preparation.services;
  await progress.step('migrations', async (note) => {
    const applied = await migrate(databaseUrl);
    note(applied.length > 0 ? `${applied.length} applied` : 'up to date');
  });
  const account = await findDemoAccount(databaseUrl, redisUrl, secrets, progress);
  await preparation.dashboard;
  const scoringUrl = `http://127.0.0.1:${ports.scoring}`;
  // Everything else in our own environment reaches the services as it is, so any setting they know (PLANS_FILE,
  // DNS_SERVERS, ...) can be given to `npm start`.
  const environments = serviceEnvironments({
    redisUrl,
    databaseUrls: { controlPlane: databaseUrl, worker: databaseUrl },
    scoringUrls: [scoringUrl],
    controlPlane: { PORT: ports.control_plane, INTERNAL_PORT: ports.control_plane_internal },
    secrets: {
      ...secrets,
      email_hash_secret: process.env.EMAIL_HASH_SECRET ?? secrets.email_hash_secret,
      secrets_key: process.env.SECRETS_KEY ?? secrets.secrets_key,
    },
  });
  const listeners = {
    scoring: { PORT: ports.scoring, INTERNAL_PORT: ports.scoring_internal },
    'control-plane': {},
    worker: { INTERNAL_PORT: ports.worker_internal },
    gateway: { HOST: address.host, PORT: address.port, INTERNAL_PORT: ports.gateway_internal },
  };
  await progress.step('services', async (note) => {
    const ready: string[] = [];
    const start = async (name: ServiceName) => {
      servers.push(await startService(name, { ...environments[name], ...listeners[name] }, logOf(name)));
      ready.push(name);
      note(ready.join(' · '));
    };
    await Promise.all(SERVICES.map(start));
  });
  return {
    account,
    redis_url: redisUrl,
    database_url: databaseUrl,
    scoring_url: scoringUrl,
    /** Internal ports, by service: /metrics, /livez and /readyz are there. */
    metrics: {
      gateway: ports.gateway_internal,
      scoring: ports.scoring_internal,
      worker: ports.worker_internal,
      'control-plane': ports.control_plane_internal,
    },
  };
}

async function bringUpPostgres(servers: RunningServer[], port: number, secrets: Secrets, note: Note) {
  const postgres = await startPostgres({
    name: 'postgres',
    port,
    settings: POSTGRES_SETTINGS,
    log: logOf('postgres'),
    password: secrets.postgres_password,
  });
  servers.push(postgres);
  note(postgres.label);
  return createDatabaseOnce(postgres, 'verdict');
}

async function bringUpRedis(servers: RunningServer[], port: number, secrets: Secrets, note: Note) {
  note(`${(await findRedis()).label}, 127.0.0.1:${port}`);
  const redis = await startRedis({
    settings: { requirepass: secrets.redis_password },
    kept: { directory: inData('redis'), port, log: logOf('redis') },
  });
  servers.push(redis);
  return redis.url;
}

/** The account of the banner; a separate process creates it if it is missing. */
async function findDemoAccount(
  databaseUrl: string,
  redisUrl: string,
  secrets: Secrets,
  progress: Progress,
): Promise<SeededAccount> {
  const { demo_password: password, demo_api_key: apiKey } = secrets;
  const known = apiKey ? await findSeededAccount(databaseUrl, { email: DEMO_EMAIL, password, apiKey }) : null;
  if (known) return known;
  const account = await progress.step('demo account', async (note) => {
    note(DEMO_EMAIL);
    return seedAccount({ databaseUrl, redisUrl, password, ...(apiKey ? { apiKey } : {}) });
  });
  saveSecrets({ ...secrets, demo_api_key: account.apiKey });
  return account;
}
