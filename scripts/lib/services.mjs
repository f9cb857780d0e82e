import { logFileFor } from './log-file.mjs';
import { createManagedProcess } from './managed-process.mjs';
import { inRoot, root } from './paths.mjs';
import { publicKeySet } from './secrets.mjs';

/** Started wave by wave: a service is up before the one that asks it. */
export const START_WAVES = [['scoring'], ['control-plane', 'worker'], ['gateway']];

export const PRIVATE_PORTS = [
  'postgres',
  'redis',
  'scoring',
  'scoring_internal',
  'control_plane',
  'control_plane_internal',
  'worker_internal',
  'gateway_internal',
];

/**
 * What each service is told. Everything else in our own environment reaches the services as it is, so any setting
 * they know (PLANS_FILE, DNS_SERVERS, ...) can be given to `npm start`.
 * @param {{ publicPort: number, ports: Record<string, number>, secrets: object, redisUrl: string, databaseUrl: string }} stack
 * @returns {Record<string, Record<string, string | number>>}
 */
export function serviceEnvironments({ publicPort, ports, secrets, redisUrl, databaseUrl }) {
  const scoringUrls = `http://127.0.0.1:${ports.scoring}`;
  const controlPlaneInternalUrl = `http://127.0.0.1:${ports.control_plane_internal}`;
  const jwtPublicKeys = JSON.stringify(publicKeySet(secrets.signing_jwk));
  return {
    scoring: { PORT: ports.scoring, INTERNAL_PORT: ports.scoring_internal },
    'control-plane': {
      PORT: ports.control_plane,
      INTERNAL_PORT: ports.control_plane_internal,
      REDIS_URL: redisUrl,
      DATABASE_URL: databaseUrl,
      SCORING_URLS: scoringUrls,
      INTERNAL_TOKEN: secrets.internal_token,
      JWT_SIGNING_KEY: JSON.stringify(secrets.signing_jwk),
      JWT_PUBLIC_KEYS: jwtPublicKeys,
    },
    worker: {
      INTERNAL_PORT: ports.worker_internal,
      REDIS_URL: redisUrl,
      DATABASE_URL: databaseUrl,
      CONTROL_PLANE_INTERNAL_URL: controlPlaneInternalUrl,
      INTERNAL_TOKEN: secrets.internal_token,
      EMAIL_HASH_SECRET: process.env.EMAIL_HASH_SECRET ?? secrets.email_hash_secret,
    },
    gateway: {
      PORT: publicPort,
      INTERNAL_PORT: ports.gateway_internal,
      REDIS_URL: redisUrl,
      SCORING_URLS: scoringUrls,
      CONTROL_PLANE_URL: `http://127.0.0.1:${ports.control_plane}`,
      CONTROL_PLANE_INTERNAL_URL: controlPlaneInternalUrl,
      INTERNAL_TOKEN: secrets.internal_token,
      JWT_PUBLIC_KEYS: jwtPublicKeys,
    },
  };
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} settings
 * @param {object} runFile
 */
export function createService(name, settings, runFile) {
  return createManagedProcess(
    {
      name,
      command: process.execPath,
      // As in the Dockerfile: the young generation keeps its size. Left alone it is cut to an eighth in a quiet minute
      // and grows back in steps over half an hour, and so would the memory that an operator sees.
      args: ['--min-semi-space-size=16', inRoot('services', name, 'dist/src/main.js')],
      env: childEnvironment({ HOST: '127.0.0.1', INTERNAL_HOST: '127.0.0.1', ...settings }),
      cwd: root,
      log: logFileFor(name),
      isReady: () => isReady(settings.INTERNAL_PORT),
    },
    runFile,
  );
}

/** Ours over what we inherited; a NAME_FILE of the caller would otherwise win over the NAME decided here. */
export function childEnvironment(settings) {
  const environment = { ...process.env };
  for (const [name, value] of Object.entries(settings)) {
    delete environment[`${name}_FILE`];
    environment[name] = String(value);
  }
  return environment;
}

async function isReady(internalPort) {
  try {
    const response = await fetch(`http://127.0.0.1:${internalPort}/readyz`, {
      signal: AbortSignal.timeout(2000),
    });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
