import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { UPDATE_SETTINGS, type UpdateSettings } from '@verdict/datasets/update/update-settings.js';
import { type Plans, parsePlans } from '@verdict/domain/plans.js';
import { ConfigError, readConfig } from '@verdict/service-kit/config.js';
import { missingRedis, REDIS_SETTINGS, redisTarget } from '@verdict/service-kit/redis-settings.js';
import { Type } from 'typebox';

const at = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** Each command asks only for what it needs: listing plans must not want a database. */
export const databaseUrl = (): string =>
  readConfig(Type.Object({ DATABASE_URL: Type.String({ pattern: '^postgres(ql)?://' }) }), process.env)
    .DATABASE_URL;

export const redis = (): { url: string; cluster: string } =>
  redisTarget(readConfig(Type.Object(REDIS_SETTINGS), process.env, missingRedis));

export const shards = (): number =>
  readConfig(Type.Object(REDIS_SETTINGS), process.env, missingRedis).REDIS_SHARDS;

export const emailHashSecret = (): string =>
  readConfig(Type.Object({ EMAIL_HASH_SECRET: Type.String({ minLength: 16 }) }), process.env)
    .EMAIL_HASH_SECRET;

export const scoringUrl = (): string =>
  readConfig(
    Type.Object({ SCORING_URLS: Type.String({ pattern: '^https?://' }) }),
    process.env,
  ).SCORING_URLS.split(',')[0] ?? '';

export function datasets(): UpdateSettings & { readonly DATASETS_DIR: string } {
  const settings = readConfig(Type.Object(UPDATE_SETTINGS), process.env);
  const { DATASETS_DIR: directory } = settings;
  if (directory === undefined)
    throw new ConfigError('DATASETS_DIR is missing: the folder in which releases of the lists are published');
  return { ...settings, DATASETS_DIR: directory };
}

export function plans(): Plans {
  const schema = Type.Object({ PLANS_FILE: Type.String({ default: at('config/plans.json') }) });
  return parsePlans(JSON.parse(readFileSync(readConfig(schema, process.env).PLANS_FILE, 'utf8')));
}

/** Who gives the commands, for the audit log: VERDICT_OPERATOR, or the user of this machine. */
export const operator = (): string =>
  `operator:${
    readConfig(
      Type.Object({
        VERDICT_OPERATOR: Type.String({ pattern: '^[^\\p{Cc}]{1,64}$', default: userInfo().username }),
      }),
      process.env,
    ).VERDICT_OPERATOR
  }`;
