import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EMAIL_STORAGES } from '@verdict/domain/email-storage.js';
import { type Plans, parsePlans } from '@verdict/domain/plans.js';
import { ConfigError, readConfig } from '@verdict/service-kit/config.js';
import { type Static, Type } from 'typebox';

const PositiveSchema = (fallback: number) => Type.Integer({ minimum: 1, default: fallback });

const ConfigSchema = Type.Object({
  HOST: Type.String({ default: '0.0.0.0' }),
  INTERNAL_PORT: Type.Integer({ minimum: 0, maximum: 65_535 }),
  LOG_LEVEL: Type.String({ default: 'info' }),
  REDIS_URL: Type.String({ pattern: '^rediss?://' }),
  DATABASE_URL: Type.String({ pattern: '^postgres(ql)?://' }),
  QUEUE_SHARDS: PositiveSchema(1),
  EMAIL_STORAGE: Type.Union(
    EMAIL_STORAGES.map((mode) => Type.Literal(mode)),
    { default: 'full' },
  ),
  EMAIL_HASH_SECRET: Type.String({ minLength: 16 }),
  PLANS_FILE: Type.String({
    default: fileURLToPath(new URL('../../../../config/plans.json', import.meta.url)),
  }),
  /** After a month ended in UTC, how long stragglers are awaited before it is closed. */
  CLOSE_GRACE_HOURS: Type.Integer({ minimum: 0, default: 6 }),
  SWEEP_EVERY_SECONDS: PositiveSchema(30),
  /** A reservation younger than this may belong to a check that is still being answered. */
  SWEEP_AGE_SECONDS: Type.Integer({ minimum: 60, default: 120 }),
  /** Waiting jobs at which the worker warns; the gateway sheds load at its own mark. */
  QUEUE_HIGH_WATER_JOBS: PositiveSchema(50_000),
});

export type Config = Readonly<Static<typeof ConfigSchema>> & { readonly plans: Plans };

export function loadConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const config = readConfig(ConfigSchema, environment);
  return Object.freeze({ ...config, plans: readPlans(config.PLANS_FILE) });
}

function readPlans(file: string): Plans {
  try {
    return parsePlans(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new ConfigError(`PLANS_FILE ${file} cannot be used: ${(error as Error).message}`);
  }
}
