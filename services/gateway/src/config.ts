import { readConfig } from '@verdict/service-kit/config.js';
import { missingRedis, REDIS_SETTINGS } from '@verdict/service-kit/redis-settings.js';
import { TRACING_SETTINGS } from '@verdict/telemetry/tracing-settings.js';
import { type Static, Type } from 'typebox';

const Port = (fallback: number) => Type.Integer({ minimum: 0, maximum: 65_535, default: fallback });
const Milliseconds = (fallback: number) => Type.Integer({ minimum: 1, default: fallback });
const Count = (fallback: number) => Type.Integer({ minimum: 1, default: fallback });

export const GatewayConfigSchema = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', description: 'Address of the public listener' }),
  PORT: Type.Integer({ ...Port(8080), description: 'Public port' }),
  INTERNAL_HOST: Type.String({ default: '127.0.0.1', description: 'Address of the operators listener' }),
  INTERNAL_PORT: Type.Integer({ ...Port(9080), description: 'Port of /livez, /readyz and /metrics' }),
  LOG_LEVEL: Type.String({ default: 'info', description: 'pino level' }),
  ...REDIS_SETTINGS,
  SCORING_URLS: Type.String({ minLength: 1, description: 'Scoring replicas, separated by commas' }),
  CONTROL_PLANE_URL: Type.String({ minLength: 1, description: 'Where dashboard requests are forwarded' }),
  CONTROL_PLANE_INTERNAL_URL: Type.String({
    minLength: 1,
    description: 'Internal port of the control plane',
  }),
  INTERNAL_TOKEN: Type.String({ minLength: 16, description: 'Shared secret of the internal endpoints' }),
  JWT_PUBLIC_KEYS: Type.String({
    minLength: 2,
    description: 'JWKS with the public keys that tokens are verified by',
  }),
  TRUST_PROXY: Type.String({
    default: '',
    description: 'CIDRs of proxies whose X-Forwarded-For is believed',
  }),
  REDIS_WAIT_REPLICAS: Type.Integer({
    minimum: 0,
    default: 0,
    description: 'Replicas that must have a log before its check is answered; see docs/operations.md',
  }),
  REDIS_WAIT_MS: Type.Integer({
    ...Milliseconds(100),
    description: 'How long they are awaited; after that the check answers 503',
  }),
  QUEUE_SHARDS: Type.Integer({ ...Count(1), maximum: 64, description: 'Queues that logs are spread over' }),
  QUEUE_HIGH_WATER_JOBS: Type.Integer({
    ...Count(50_000),
    description: 'Waiting jobs beyond which checks answer 503',
  }),
  REDIS_HIGH_WATER_PERCENT: Type.Integer({
    ...Count(75),
    maximum: 100,
    description:
      "Share of Redis's maxmemory beyond which checks answer 503; the worker needs the rest to catch up",
  }),
  SCORING_DEADLINE_MS: Type.Integer({
    ...Milliseconds(1_000),
    description: 'After this a check is refunded and answers 503',
  }),
  BATCH_MAX: Type.Integer({ ...Count(128), maximum: 256, description: 'Checks in one batch' }),
  WAITING_MAX: Type.Integer({ ...Count(2_048), description: 'Checks that may wait for a batch before 503' }),
  AUTH_FAILURES_PER_MINUTE: Type.Integer({
    ...Count(300),
    description: 'Failed authentications per client address',
  }),
  LOOKS_PER_SECOND: Type.Integer({
    ...Count(100),
    description: 'GET /status/ and /usage/ per key and gateway; they cost no check',
  }),
  DRAIN_DELAY_MS: Type.Integer({
    minimum: 0,
    default: 0,
    description: 'How long to answer on after readiness went false',
  }),
  ...TRACING_SETTINGS,
});
export type GatewayConfig = Readonly<Static<typeof GatewayConfigSchema>>;

export const loadConfig = (): GatewayConfig => readConfig(GatewayConfigSchema, process.env, missingRedis);
