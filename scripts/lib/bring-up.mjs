import { build } from './build.mjs';
import { migrate, seed } from './database.mjs';
import { install } from './install.mjs';
import { logFileFor } from './log-file.mjs';
import { findPostgresHome } from './postgres-home.mjs';
import { createPostgresServer, postgresUrl } from './postgres-server.mjs';
import { POSTGRES_SETTINGS } from './postgres-settings.mjs';
import { findRedisBinary } from './redis-binary.mjs';
import { createRedisServer } from './redis-server.mjs';
import { saveSecrets } from './secrets.mjs';
import { createService, START_WAVES, serviceEnvironments } from './services.mjs';

const DEMO_EMAIL = 'demo@example.com';

/**
 * Everything between a bare checkout and an answering service, in order.
 * @returns {Promise<object>} what stack.json publishes
 */
export async function bringUp({ stack, progress, runFile, ports, secrets, publicPort }) {
  await progress.step('dependencies', install);
  await progress.step('build', build);
  const databaseUrl = await progress.step('postgres', (note) =>
    bringUpPostgres({ stack, runFile, ports, secrets, note }),
  );
  const redisUrl = await progress.step('redis', (note) =>
    bringUpRedis({ stack, runFile, ports, secrets, note }),
  );

  await progress.step('migrations', async (note) => {
    const applied = await migrate(databaseUrl, logFileFor('migrate'));
    note(applied.length > 0 ? `${applied.length} applied` : 'up to date');
  });
  const demo = await progress.step('demo account', async (note) => {
    note(DEMO_EMAIL);
    const { demo_password: password, demo_api_key: apiKey } = secrets;
    return seed({ databaseUrl, redisUrl, email: DEMO_EMAIL, password, apiKey, log: logFileFor('seed') });
  });
  saveSecrets({ ...secrets, demo_api_key: demo.api_key });

  const environments = serviceEnvironments({ publicPort, ports, secrets, redisUrl, databaseUrl });
  await progress.step('services', async (note) => {
    const ready = [];
    for (const wave of START_WAVES) {
      await Promise.all(
        wave.map(async (name) => {
          await stack.add(createService(name, environments[name], runFile));
          ready.push(name);
          note(ready.join(' · '));
        }),
      );
    }
  });

  return {
    base_url: `http://127.0.0.1:${publicPort}/api/v1/`,
    email: demo.email,
    password: secrets.demo_password,
    api_key: demo.api_key,
    api_key_id: demo.api_key_id,
    redis_url: redisUrl,
    database_url: databaseUrl,
    scoring_url: environments.gateway.SCORING_URLS,
  };
}

async function bringUpPostgres({ stack, runFile, ports, secrets, note }) {
  if (process.env.DATABASE_URL) {
    note('yours (DATABASE_URL)');
    return process.env.DATABASE_URL;
  }
  const home = findPostgresHome('postgres');
  note(`${home.version}, 127.0.0.1:${ports.postgres}${home.moved ? `, in ${home.data}` : ''}`);
  const server = await createPostgresServer({
    home,
    port: ports.postgres,
    password: secrets.postgres_password,
    databases: ['verdict'],
    settings: POSTGRES_SETTINGS,
    log: logFileFor('postgres'),
    runFile,
  });
  await stack.add(server);
  return postgresUrl(ports.postgres, secrets.postgres_password, 'verdict');
}

async function bringUpRedis({ stack, runFile, ports, secrets, note }) {
  if (process.env.REDIS_URL) {
    note('yours (REDIS_URL)');
    return process.env.REDIS_URL;
  }
  const { file, label } = await findRedisBinary(note);
  note(`${label}, 127.0.0.1:${ports.redis}`);
  await stack.add(createRedisServer({ file, port: ports.redis, password: secrets.redis_password, runFile }));
  return `redis://:${secrets.redis_password}@127.0.0.1:${ports.redis}`;
}
