import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Plans, parsePlans } from '@verdict/domain/plans.js';
import { readConfig } from '@verdict/service-kit/config.js';
import { missingRedis, REDIS_SETTINGS, redisTarget } from '@verdict/service-kit/redis-settings.js';
import { Type } from 'typebox';

const at = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** Each command asks only for what it needs: listing plans must not want a database. */
export const databaseUrl = (): string =>
  readConfig(Type.Object({ DATABASE_URL: Type.String({ pattern: '^postgres(ql)?://' }) }), process.env)
    .DATABASE_URL;

export const redis = (): { url: string; cluster: string } =>
  redisTarget(readConfig(Type.Object(REDIS_SETTINGS), process.env, missingRedis));

export const queueShards = (): number =>
  readConfig(Type.Object({ QUEUE_SHARDS: Type.Integer({ minimum: 1, default: 1 }) }), process.env)
    .QUEUE_SHARDS;

export const emailHashSecret = (): string =>
  readConfig(Type.Object({ EMAIL_HASH_SECRET: Type.String({ minLength: 16 }) }), process.env)
    .EMAIL_HASH_SECRET;

export const scoringUrl = (): string =>
  readConfig(
    Type.Object({ SCORING_URLS: Type.String({ pattern: '^https?://' }) }),
    process.env,
  ).SCORING_URLS.split(',')[0] ?? '';

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
