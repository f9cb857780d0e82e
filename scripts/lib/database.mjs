import { inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { childEnvironment } from './services.mjs';

/** @param {string} databaseUrl @param {string} log @returns {Promise<string[]>} the names of the migrations applied */
export async function migrate(databaseUrl, log) {
  const out = await run(process.execPath, [inRoot('packages/db/dist/src/migrate-main.js')], {
    log,
    env: childEnvironment({ DATABASE_URL: databaseUrl }),
    sentence: 'The database could not be migrated.',
  });
  return lastJson(out).applied;
}

/**
 * The demo account: made once, found again later.
 * @param {{ databaseUrl: string, redisUrl: string, email: string, password: string, apiKey?: string, log: string }} demo
 * @returns {Promise<{ email: string, account_id: string, api_key_id: string, api_key: string }>}
 */
export async function seed({ databaseUrl, redisUrl, email, password, apiKey, log }) {
  const out = await run(process.execPath, [inRoot('services/control-plane/dist/src/seed-main.js')], {
    log,
    secretOutput: true, // it prints the API key
    env: childEnvironment({
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      SEED_EMAIL: email,
      SEED_PASSWORD: password,
      ...(apiKey ? { SEED_API_KEY: apiKey } : {}),
    }),
    sentence: 'The demo account could not be made.',
  });
  return lastJson(out);
}

const lastJson = (out) => JSON.parse(out.trimEnd().split('\n').at(-1));
