import {
  UPDATE_SETTINGS,
  type UpdateSettings,
  updateOptions,
} from '@verdict/datasets/update/update-settings.js';
import { EMAIL_STORAGES } from '@verdict/domain/email-storage.js';
import type { Plans } from '@verdict/domain/plans.js';
import { WEBHOOK_RETRY_SECONDS } from '@verdict/domain/webhook-schedule.js';
import { MAIL_SETTINGS, missingMailSettings } from '@verdict/mail/mail-settings.js';
import { readConfig } from '@verdict/service-kit/config.js';
import { ConfigError } from '@verdict/service-kit/config-error.js';
import { readPlans } from '@verdict/service-kit/plans-file.js';
import { PLANS_SETTING } from '@verdict/service-kit/plans-setting.js';
import { missingRedis, REDIS_SETTINGS } from '@verdict/service-kit/redis-settings.js';
import { EMAIL_HASH_SECRET, SECRETS_KEY } from '@verdict/service-kit/secrets-setting.js';
import { Count, FACTS_SETTING, PATIENCE_SETTING, Port } from '@verdict/service-kit/settings.js';
import { WEBHOOK_SETTINGS } from '@verdict/service-kit/webhook-settings.js';
import { TRACING_SETTINGS } from '@verdict/telemetry/tracing-settings.js';
import { type Static, Type } from 'typebox';

export const WorkerConfigSchema = Type.Object({
  INTERNAL_HOST: Type.String({ default: '127.0.0.1', description: 'Address of the internal listener' }),
  INTERNAL_PORT: Port(9082, 'Port of /livez, /readyz and /metrics'),
  LOG_LEVEL: Type.String({ default: 'info', description: 'pino level' }),
  ...REDIS_SETTINGS,
  ...PATIENCE_SETTING,
  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://',
    description: 'Postgres with the usage',
  }),
  EMAIL_STORAGE: Type.Enum(EMAIL_STORAGES, {
    default: 'full',
    description: 'How addresses are stored: full, masked or hashed',
  }),
  EMAIL_HASH_SECRET,
  ...PLANS_SETTING,
  SECRETS_KEY,
  ...MAIL_SETTINGS,
  OPERATOR_TOKEN: Type.Optional(
    Type.String({
      minLength: 16,
      description: 'Password of user `operator` for /queues on the internal port; unset: page off',
    }),
  ),
  AUDIT_IP_DAYS: Count(90, 'Days that the audit log keeps IPs; its entries stay'),
  SCORING_URLS: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'Scoring replicas, separated by commas; without them this worker runs no bulk jobs',
    }),
  ),
  CONTROL_PLANE_INTERNAL_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'Internal port of the control plane, for accounts of bulk jobs missing in Redis',
    }),
  ),
  INTERNAL_TOKEN: Type.Optional(
    Type.String({
      minLength: 16,
      description: 'Shared secret of the internal endpoints; `new,old` while it is rotated',
    }),
  ),
  REDIS_WAIT_REPLICAS: Count(0, 'Replicas that must have a chunk of a bulk job before it is done', {
    minimum: 0,
  }),
  REDIS_WAIT_MS: Count(100, 'Deadline of these replicas; then the chunk is retried'),
  CLOSE_GRACE_HOURS: Count(
    6,
    'Hours to wait for late checks after the end of a month (UTC) before it is closed',
    {
      minimum: 0,
    },
  ),
  POSTGRES_DISK_GB: Count(0, 'Size of the disk of Postgres, for the alert VerdictPostgresDisk; 0: no alert', {
    minimum: 0,
  }),
  QUEUE_HIGH_WATER_JOBS: Count(50_000, 'Queued jobs above which the worker warns'),
  ...WEBHOOK_SETTINGS,
  WEBHOOK_RETRY_SECONDS: Type.String({
    pattern: '^\\d{1,5}(,\\d{1,5})*$',
    default: WEBHOOK_RETRY_SECONDS.join(','),
    description: 'Delays before each retry of a webhook, in seconds (at most 99999), plus jitter',
  }),
  // A quota event is sent once a month because the sent ones are stored.
  WEBHOOK_RETENTION_DAYS: Count(90, 'Days to keep webhook events, deliveries and answers', {
    minimum: 32,
  }),
  ...FACTS_SETTING,
  // Pages, files and second looks read a month of checks.
  FACTS_HOT_DAYS: Count(35, 'Days of checks that are not archived yet, with FACTS_DIR', { minimum: 35 }),
  ...UPDATE_SETTINGS,
  DATASETS_UPDATE_HOURS: Count(24, 'Hours between list updates, with DATASETS_DIR; 0 for never', {
    minimum: 0,
  }),
  ...TRACING_SETTINGS,
});

export type WorkerConfig = Readonly<Static<typeof WorkerConfigSchema>> & { readonly plans: Plans };

export function loadConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): WorkerConfig {
  const config = readConfig(WorkerConfigSchema, environment, (read) => [
    ...missingRedis(read),
    ...missingMailSettings(read, ['MAIL_FROM', 'PUBLIC_URL', 'SECRETS_KEY']),
    ...(read.SCORING_URLS === undefined
      ? []
      : (['CONTROL_PLANE_INTERNAL_URL', 'INTERNAL_TOKEN'] as const)
          .filter((name) => read[name] === undefined)
          .map((name) => `${name} is missing: SCORING_URLS needs it`)),
  ]);
  refuseUnusableSources(config);
  return Object.freeze({ ...config, plans: readPlans(config.PLANS_FILE) });
}

/** At the start and not at night, when the task first needs them. */
function refuseUnusableSources(settings: UpdateSettings): void {
  if (settings.DATASETS_DIR === undefined) return;
  try {
    updateOptions(settings, settings.DATASETS_DIR);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}
