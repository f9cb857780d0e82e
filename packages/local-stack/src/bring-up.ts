import { logOf } from '../../../scripts/lib/paths.mjs';
import type { Progress } from '../../../scripts/lib/progress.mjs';
import { freePort } from './free-port.js';
import { inData } from './paths.js';
import { startPostgres } from './postgres.js';
import { migrate } from './program.js';
import { loadSecrets, type Secrets } from './secrets.js';
import { DEMO_EMAIL, findDemoKey, seedAccount } from './seed-account.js';
import { serviceEnvironments } from './stack-environments.js';
import { startRedis } from './start-redis.js';
import type { RunningServer } from './start-server.js';
import { SERVICES, type ServiceName, startService } from './start-service.js';

type Note = (detail: string) => void;

/**
 * Postgres settings beyond its defaults, which suit the smallest machine. Every check touches two indexes at random
 * places, so these should be in memory and checkpoints rare; docker-compose.yml sets the same.
 */
const POSTGRES_SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '15min' };

/** Everything between a build and an answering service; `servers` gets each server once it is ready. */
export async function bringUp(
  servers: RunningServer[],
  progress: Progress,
  gateway: { readonly PORT: number; readonly HOST: string },
) {
  const secrets = loadSecrets();
  const [databaseUrl, redisUrl] = await Promise.all([
    process.env.DATABASE_URL ?? progress.step('postgres', (note) => bringUpPostgres(servers, secrets, note)),
    process.env.REDIS_URL ?? progress.step('redis', (note) => bringUpRedis(servers, secrets, note)),
  ]);
  await progress.step('migrations', async (note) => {
    const applied = await migrate(databaseUrl);
    note(applied.length > 0 ? `${applied.length} applied` : 'up to date');
  });
  const keyId =
    (await findDemoKey(databaseUrl, secrets.demo_api_key)) ??
    (await progress.step('demo account', async (note) => {
      note(DEMO_EMAIL);
      return seedAccount(databaseUrl, redisUrl, secrets);
    }));
  const listeners = {} as Record<ServiceName, { PORT: number; INTERNAL_PORT: number }>;
  for (const name of SERVICES) {
    const INTERNAL_PORT = await freePort(`${name} internal`);
    listeners[name] = { INTERNAL_PORT, ...(name === 'gateway' ? gateway : { PORT: await freePort(name) }) };
  }
  const scoringUrl = `http://127.0.0.1:${listeners.scoring.PORT}`;
  // Everything else in our own environment reaches the services as it is, so any setting they know (PLANS_FILE,
  // DNS_SERVERS, ...) can be given to `npm start`.
  const environments = serviceEnvironments({
    redisUrl,
    databaseUrls: { controlPlane: databaseUrl, worker: databaseUrl },
    scoringUrls: [scoringUrl],
    controlPlane: listeners['control-plane'],
    secrets: {
      ...secrets,
      email_hash_secret: process.env.EMAIL_HASH_SECRET ?? secrets.email_hash_secret,
      secrets_key: process.env.SECRETS_KEY ?? secrets.secrets_key,
    },
  });
  await progress.step('services', async (note) => {
    const ready: string[] = [];
    const start = async (name: ServiceName) => {
      // The front page's field to try an address works by the demo key.
      const tries = name === 'gateway' && { TRY_API_KEY: secrets.demo_api_key };
      const environment = { ...tries, ...environments[name], ...listeners[name] };
      servers.push(await startService(name, environment, logOf(name)));
      ready.push(name);
      note(ready.join(' · '));
    };
    await Promise.all(SERVICES.map(start));
  });
  return {
    email: DEMO_EMAIL,
    password: secrets.demo_password,
    api_key: secrets.demo_api_key,
    api_key_id: keyId,
    redis_url: redisUrl,
    database_url: databaseUrl,
    scoring_url: scoringUrl,
    /** The internal ports, which have /metrics, /livez and /readyz. */
    metrics: SERVICES.map((name) => `${name} ${listeners[name].INTERNAL_PORT}`),
  };
}

async function bringUpPostgres(servers: RunningServer[], secrets: Secrets, note: Note) {
  const postgres = await startPostgres({
    name: 'postgres',
    port: await freePort('postgres'),
    settings: POSTGRES_SETTINGS,
    log: logOf('postgres'),
    password: secrets.postgres_password,
  });
  servers.push(postgres);
  note(postgres.label);
  return postgres.database('verdict');
}

async function bringUpRedis(servers: RunningServer[], secrets: Secrets, note: Note) {
  const port = await freePort('redis');
  note(`127.0.0.1:${port}`);
  const redis = await startRedis({
    settings: { requirepass: secrets.redis_password },
    kept: { directory: inData('redis'), port, log: logOf('redis') },
  });
  servers.push(redis);
  return redis.url;
}
