import { readConfig } from '@verdict/service-kit/config.js';
import { missingRedis, REDIS_SETTINGS } from '@verdict/service-kit/redis-settings.js';
import {
  BURSTS_SETTING,
  Count,
  DRAIN_SETTING,
  PATIENCE_SETTING,
  Port,
} from '@verdict/service-kit/settings.js';
import { TRACING_SETTINGS } from '@verdict/telemetry/tracing-settings.js';
import { type Static, Type } from 'typebox';

export const GatewayConfigSchema = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', description: 'Address of the public listener' }),
  PORT: Port(8080, 'Public port'),
  INTERNAL_HOST: Type.String({ default: '127.0.0.1', description: 'Address of the internal listener' }),
  INTERNAL_PORT: Port(9080, 'Port of /livez, /readyz and /metrics'),
  LOG_LEVEL: Type.String({ default: 'info', description: 'pino level' }),
  ...REDIS_SETTINGS,
  ...PATIENCE_SETTING,
  SCORING_URLS: Type.String({ minLength: 1, description: 'Scoring replicas, separated by commas' }),
  CONTROL_PLANE_URL: Type.String({
    minLength: 1,
    description: 'Address of the control plane, for dashboard requests',
  }),
  CONTROL_PLANE_INTERNAL_URL: Type.String({
    minLength: 1,
    description: 'Internal port of the control plane',
  }),
  CONTROL_PLANE_TIMEOUT_MS: Count(2_000, 'Deadline of the control plane for data missing in Redis; then 503'),
  INTERNAL_TOKEN: Type.String({
    minLength: 16,
    description: 'Shared secret of the internal endpoints; `new,old` while it is rotated',
  }),
  JWT_PUBLIC_KEYS: Type.String({
    minLength: 2,
    description: 'JWKS with the public keys that verify tokens',
  }),
  TRUST_PROXY: Type.String({
    default: '',
    description: 'CIDRs of proxies whose X-Forwarded-For is trusted',
  }),
  REDIS_WAIT_REPLICAS: Count(
    0,
    'Replicas that must have a check before it is answered; see docs/scaling.md',
    { minimum: 0 },
  ),
  REDIS_WAIT_MS: Count(100, 'Deadline of these replicas; then the check answers 503'),
  QUEUE_HIGH_WATER_JOBS: Count(
    50_000,
    'Queued jobs above which checks answer 503, where Redis has no maxmemory or hides it',
  ),
  REDIS_HIGH_WATER_PERCENT: Count(
    75,
    'Share of the memory that accounts leave in Redis; checks that wait beyond it answer 503, because the worker needs the rest to catch up',
    { maximum: 100 },
  ),
  SCORING_DEADLINE_MS: Count(1_000, 'Deadline of scoring; then the check answers 503 and is not counted'),
  BATCH_MAX: Count(128, 'Checks in one batch', { maximum: 256 }),
  WAITING_MAX: Count(8_192, 'Checks that may wait for a batch before 503'),
  ...BURSTS_SETTING,
  HOOK_ANSWER_MS: Count(
    1_800,
    'Deadline of a hook, then its on_error answers. Supabase gives up after five seconds, a visitor earlier',
  ),
  HOOK_CHECKS_PER_SECOND: Count(
    20,
    'Sign-ups a second that one hook checks on a gateway; its on_error answers the rest',
  ),
  REQUESTS_PER_MINUTE: Count(600, 'Requests per client address that are not checks'),
  TRY_API_KEY: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'API key that pays for tries on the front page; none: no field',
    }),
  ),
  AUTH_FAILURES_PER_MINUTE: Count(300, 'Failed authentications per client address'),
  SLOW_ANSWER_MS: Count(250, 'Answers that take longer are logged with their time by stage', { minimum: 0 }),
  LOOKS_PER_SECOND: Count(100, 'GET /status/ and /usage/ per key and gateway; they cost no check'),
  ...DRAIN_SETTING,
  ...TRACING_SETTINGS,
});
export type GatewayConfig = Readonly<Static<typeof GatewayConfigSchema>>;

export const loadConfig = (): GatewayConfig => readConfig(GatewayConfigSchema, process.env, missingRedis);
