import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { UpdateSettings } from '@verdict/datasets/update/update-settings.js';
import type { RoleUrls } from '@verdict/db/grant-rights.js';
import { SERVICE_ROLES } from '@verdict/db/service-rights.js';
import type { Plans } from '@verdict/domain/plans.js';
import { ConfigError, readConfig } from '@verdict/service-kit/config.js';
import { PLANS_SETTING, readPlans } from '@verdict/service-kit/plans-file.js';
import { missingRedis, REDIS_SETTINGS, redisTarget } from '@verdict/service-kit/redis-settings.js';
import { Type } from 'typebox';

const at = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/**
 * The environment, and beside it what a stack that `npm start` runs from this checkout uses: an operator who has just
 * started it should not have to look up a password.
 */
function environment(): Readonly<Record<string, string | undefined>> {
  const data = process.env.VERDICT_DATA_DIR ?? at('.data');
  const stack = readJson(join(data, 'stack.json'));
  if (!stack) return process.env;
  const named = {
    DATABASE_URL: stack.database_url,
    REDIS_URL: stack.redis_url,
    SCORING_URLS: stack.scoring_url,
    EMAIL_HASH_SECRET: readJson(join(data, 'secrets.json'))?.email_hash_secret,
    VERDICT_URL: stack.base_url,
    VERDICT_API_KEY: stack.api_key,
  };
  const known = Object.entries(named).filter(([name, value]) => value && !process.env[`${name}_FILE`]);
  return { ...Object.fromEntries(known), ...process.env };
}

const readJson = (file: string): Record<string, string> | null =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : null;

/** Each command asks only for what it needs: listing plans must not want a database. */
export const databaseUrl = (): string =>
  readConfig(Type.Object({ DATABASE_URL: Type.String({ pattern: '^postgres(ql)?://' }) }), environment())
    .DATABASE_URL;

/** The addresses of the services' roles, where they have some: migrating makes these and gives them their rights. */
export const roleUrls = (): RoleUrls => {
  const names = Object.fromEntries(SERVICE_ROLES.map((role) => [`DATABASE_URL_${role.toUpperCase()}`, role]));
  const url = Type.Optional(Type.String({ pattern: '^postgres(ql)?://' }));
  const schema = Type.Object(Object.fromEntries(Object.keys(names).map((name) => [name, url])));
  const found = Object.entries(readConfig(schema, environment()));
  return Object.fromEntries(found.map(([name, value]) => [names[name], value]));
};

export const redis = () => redisTarget(readConfig(Type.Object(REDIS_SETTINGS), environment(), missingRedis));

export const shards = (): number =>
  readConfig(Type.Object(REDIS_SETTINGS), environment(), missingRedis).REDIS_SHARDS;

export const emailHashSecret = (): string =>
  readConfig(Type.Object({ EMAIL_HASH_SECRET: Type.String({ minLength: 16 }) }), environment())
    .EMAIL_HASH_SECRET;

/** Where the public API is, and who asks it. */
export const publicApi = (): { readonly baseUrl: string; readonly apiKey: string } => {
  const { VERDICT_URL: baseUrl, VERDICT_API_KEY: apiKey } = readConfig(
    Type.Object({
      VERDICT_URL: Type.String({ pattern: '^https?://', description: 'Ends with /api/v1/' }),
      VERDICT_API_KEY: Type.String({ minLength: 1 }),
    }),
    environment(),
  );
  return { baseUrl, apiKey };
};

export const scoringUrl = (): string =>
  readConfig(
    Type.Object({ SCORING_URLS: Type.String({ pattern: '^https?://' }) }),
    environment(),
  ).SCORING_URLS.split(',')[0] ?? '';

export async function datasets(): Promise<UpdateSettings & { readonly DATASETS_DIR: string }> {
  const { UPDATE_SETTINGS } = await import('@verdict/datasets/update/update-settings.js');
  const settings = readConfig(Type.Object(UPDATE_SETTINGS), process.env);
  const { DATASETS_DIR: directory } = settings;
  if (directory === undefined)
    throw new ConfigError('DATASETS_DIR is missing: the folder in which releases of the lists are published');
  return { ...settings, DATASETS_DIR: directory };
}

export const plans = (): Plans => readPlans(readConfig(Type.Object(PLANS_SETTING), environment()).PLANS_FILE);

/** Who gives the commands, for the audit log: VERDICT_OPERATOR, or the user of this machine. */
export const operator = (): string =>
  `operator:${
    readConfig(
      Type.Object({
        VERDICT_OPERATOR: Type.String({ pattern: '^[^\\p{Cc}]{1,64}$', default: userInfo().username }),
      }),
      environment(),
    ).VERDICT_OPERATOR
  }`;

/** The currency of all plans. */
export const currency = (): string => [...plans().values()][0]?.currency ?? 'EUR';
