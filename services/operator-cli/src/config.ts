import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { UpdateSettings } from '@verdict/datasets/update/update-settings.js';
import type { RoleUrls } from '@verdict/db/database/grant-rights.js';
import { SERVICE_ROLES } from '@verdict/db/database/service-rights.js';
import { assetPath } from '@verdict/domain/asset-path.js';
import type { Plans } from '@verdict/domain/plans.js';
import { ConfigError, invalidSettings } from '@verdict/service-kit/config-error.js';
import { DEFAULT_PLANS_FILE, readPlans } from '@verdict/service-kit/plans-file.js';
import { type Environment, settingText } from '@verdict/service-kit/setting-text.js';

/**
 * The environment, and beside it what a stack that `npm start` runs from this checkout uses: an operator who has just
 * started it should not have to look up a password.
 */
function environment(): Environment {
  const data = process.env.VERDICT_DATA_DIR ?? assetPath('../../.data');
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

// Each command asks only for what it needs: listing plans must not want a database. Most settings are one text, judged here;
// the schemas of the services, and what judges them, take longer to load than most commands to run.

interface TextSetting {
  readonly pattern?: RegExp;
  readonly fallback?: string;
}

function textSetting(name: string, { pattern = /./, fallback }: TextSetting = {}): string {
  const text = optionalText(name, pattern) ?? fallback;
  if (text === undefined) throw invalidSettings([`${name} is missing`]);
  return text;
}

function optionalText(name: string, pattern: RegExp): string | undefined {
  const text = settingText(name, environment());
  if (text !== undefined && !pattern.test(text))
    throw invalidSettings([`${name} must match ${pattern.source}`]);
  return text;
}

const POSTGRES_ADDRESS = /^postgres(ql)?:\/\//;

export const databaseUrl = (): string => textSetting('DATABASE_URL', { pattern: POSTGRES_ADDRESS });

/** The addresses of the services' roles, where they have some: migrating makes these and gives them their rights. */
export const roleUrls = (): RoleUrls =>
  Object.fromEntries(
    SERVICE_ROLES.flatMap((role) => {
      const url = optionalText(`DATABASE_URL_${role.toUpperCase()}`, POSTGRES_ADDRESS);
      return url === undefined ? [] : [[role, url] as const];
    }),
  );

async function redisSettings() {
  const { readConfig } = await import('@verdict/service-kit/config.js');
  const { missingRedis, REDIS_SETTINGS } = await import('@verdict/service-kit/redis-settings.js');
  const { Type } = await import('typebox');
  return readConfig(Type.Object(REDIS_SETTINGS), environment(), missingRedis);
}

export async function redis() {
  const { redisTarget } = await import('@verdict/service-kit/redis-settings.js');
  return redisTarget(await redisSettings());
}

export const shards = async (): Promise<number> => (await redisSettings()).REDIS_SHARDS;

export const emailHashSecret = (): string => textSetting('EMAIL_HASH_SECRET', { pattern: /^.{16,}$/s });

/** The newest key first. */
export const secretsKeys = (): string => textSetting('SECRETS_KEY', { pattern: /^[\w+/=,-]{43,}$/ });

export const scoringUrls = (): string => textSetting('SCORING_URLS', { pattern: /^https?:\/\// });

/** The API with its version, such as https://verdict.example.com/api/v1/. */
export const verdictUrl = (): string => textSetting('VERDICT_URL', { pattern: /^https?:\/\/.+\/$/ });

export const verdictApiKey = (): string => textSetting('VERDICT_API_KEY');

export async function datasets(): Promise<UpdateSettings & { readonly DATASETS_DIR: string }> {
  const { UPDATE_SETTINGS } = await import('@verdict/datasets/update/update-settings.js');
  const { readConfig } = await import('@verdict/service-kit/config.js');
  const { Type } = await import('typebox');
  const settings = readConfig(Type.Object(UPDATE_SETTINGS), process.env);
  const { DATASETS_DIR: directory } = settings;
  if (directory === undefined)
    throw new ConfigError('DATASETS_DIR is missing: the folder in which releases of the lists are published');
  return { ...settings, DATASETS_DIR: directory };
}

export const plans = (): Plans => readPlans(textSetting('PLANS_FILE', { fallback: DEFAULT_PLANS_FILE }));

/** The operator for the audit log: VERDICT_OPERATOR, or the user of this machine. */
export const operator = (): string =>
  `operator:${textSetting('VERDICT_OPERATOR', { pattern: /^[^\p{Cc}]{1,64}$/u, fallback: userInfo().username })}`;

/** The currency of all plans. */
export const currency = (): string => [...plans().values()][0]?.currency ?? 'EUR';
