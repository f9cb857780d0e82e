import { missingMigrations } from '@verdict/db/database/schema-state.js';
import { createApiKey, isWellFormedApiKey } from '@verdict/domain/api-key.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { freePort } from '@verdict/local-stack/free-port.js';
import { programFile } from '@verdict/local-stack/program.js';
import { startProxy } from '@verdict/local-stack/start-proxy.js';
import { readPlans } from '@verdict/service-kit/plans-file.js';
import t from 'tap';
import { type ProcessEnd, type RunningProcess, startProcess } from '../../../scripts/lib/start-process.mjs';
import { readSigningKeys, type SeedConfig } from '../src/config.js';
import { seed } from '../src/seed.js';
import { startControlPlane, testConfig, testKeys } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);

const program = (name: string) => programFile(name === 'main' ? 'control-plane' : 'seed');

type Settings = Record<string, string | undefined>;

const settings = async (changes: Settings = {}): Promise<NodeJS.ProcessEnv> => {
  const config = Object.entries(testConfig(stores, {})).map(([name, value]) => [name, String(value)]);
  return {
    ...Object.fromEntries(config),
    PATH: process.env.PATH,
    PORT: String(await freePort()),
    INTERNAL_PORT: String(await freePort()),
    ...changes,
  };
};

async function ended(name: string, changes: Settings): Promise<ProcessEnd & { output: string }> {
  const running = startProcess(process.execPath, [program(name)], await settings(changes));
  const end = await running.exited;
  return { ...end, output: running.output() };
}

/** Starting a process takes a second on an idle machine and much longer on a busy one. */
const SOON = { withinMs: 240_000 };

const nowhere = async () => `127.0.0.1:${await freePort()}`;

t.test('a store that is away at the start is one clear sentence and exit 1, without a stack', async (t) => {
  const cases: [Settings, RegExp][] = [
    [{ REDIS_URL: `redis://${await nowhere()}` }, /cannot start: Redis cannot be reached/],
    [
      { DATABASE_URL: `postgresql://x:y@${await nowhere()}/z` },
      /cannot start: Postgres cannot be reached \([^\\]*\)"/,
    ],
  ];
  for (const [changes, sentence] of cases) {
    const { code, output } = await ended('main', changes);
    t.equal(code, 1);
    t.match(output, sentence);
    t.notMatch(output, /\n? +at .*\.js:\d+/);
  }
});

t.test('a wrong configuration names every bad variable and no secret', async (t) => {
  const { code, output } = await ended('main', {
    PORT: 'x',
    SIGNUP: 'maybe',
    INTERNAL_TOKEN: 'short',
    REDIS_URL: '',
    PASSWORD_HASH_COST: 'low',
  });
  t.equal(code, 1);
  for (const name of ['PORT', 'SIGNUP', 'INTERNAL_TOKEN', 'REDIS_URL', 'PASSWORD_HASH_COST'])
    t.match(output, name);
  t.notMatch(output, /short/);
});

t.test('an image refuses to hash passwords cheaply', async (t) => {
  for (const name of ['main', 'seed-main']) {
    const { code, output } = await ended(name, {
      NODE_ENV: 'production',
      PASSWORD_HASH_COST: 'insecure-for-tests',
      SEED_EMAIL: 'demo@example.com',
      SEED_PASSWORD: 'vivid-otter-9-x',
    });
    t.equal(code, 1);
    t.match(output, 'PASSWORD_HASH_COST must be owasp when NODE_ENV is production', name);
  }
});

t.test('keys and plans that cannot be used are named, without their content', async (t) => {
  const good = testKeys('a');
  const keys = (signing: string, jwks: string) => () =>
    readSigningKeys({ JWT_SIGNING_KEY: signing, JWT_PUBLIC_KEYS: jwks });
  const sentence = (make: () => unknown) => {
    try {
      make();
    } catch (error) {
      return (error as Error).message;
    }
    return 'it was accepted';
  };
  t.equal(sentence(keys('{"d":"sekret"', good.jwks)), 'JWT_SIGNING_KEY is not a JWK in JSON');
  t.equal(sentence(keys('{"kid":"a","d":"sekret"}', good.jwks)), 'JWT_SIGNING_KEY is not an Ed25519 key');
  t.equal(sentence(keys(good.signing, '{"keys":[]}')), 'JWT_PUBLIC_KEYS holds no keys');
  t.equal(sentence(keys(good.signing, '{"keys":[{}]}')), 'JWT_PUBLIC_KEYS has a key without kid');
  t.match(sentence(keys(good.signing, testKeys('b').jwks)), /lacks the key "a"/);
  t.match(
    sentence(() => readPlans('/nowhere/plans.json')),
    /^PLANS_FILE \/nowhere\/plans.json is not usable/,
  );
});

t.test('it starts, says that it is ready, and stops with 0 on SIGTERM', async (t) => {
  const environment = await settings();
  const running: RunningProcess = startProcess(process.execPath, [program('main')], environment);
  t.teardown(() => running.kill());
  const internal = `http://127.0.0.1:${environment.INTERNAL_PORT}`;
  await eventually(async () => (await fetch(`${internal}/readyz`)).status === 200, SOON);
  // A dependency that does not answer within a second is said to be away, and a busy machine may take longer.
  const deep = await eventually(async () => {
    const answer = await fetch(`${internal}/readyz?deep=1`);
    return answer.status === 200 && answer.json();
  }, SOON);
  t.same(deep, { status: 'ok', dependencies: { redis: 'ok', postgres: 'ok' } });
  t.match(await (await fetch(`${internal}/metrics`)).text(), /verdict_projections_healed_total/);
  t.equal((await running.stop()).code, 0);
  t.match(running.output(), /"level":40[^\n]*PASSWORD_HASH_COST is insecure-for-tests/);
  for (const line of running.output().trim().split('\n')) t.doesNotThrow(() => JSON.parse(line), line);
});

t.test('a schema that is behind is not ready, until it has caught up', async (t) => {
  const { db } = stores;
  const last = `SELECT migration_name FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1`;
  const [row] = await db.$queryRawUnsafe<{ migration_name: string }[]>(last);
  const name = row?.migration_name ?? '';
  await db.$executeRaw`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = ${name}`;
  t.same(await missingMigrations(db), [name]);
  const environment = await settings({ RELAY_INTERVAL_MS: '50' });
  const running = startProcess(process.execPath, [program('main')], environment);
  t.teardown(() => running.stop());
  const ready = () => fetch(`http://127.0.0.1:${environment.INTERNAL_PORT}/readyz`);
  await eventually(async () => (await (await ready()).text()).includes(name), SOON);
  t.equal((await ready()).status, 503);
  await db.$executeRaw`UPDATE _prisma_migrations SET finished_at = now() WHERE migration_name = ${name}`;
  await eventually(async () => (await ready()).status === 200, SOON);
});

t.test('seeding twice is seeding once', async (t) => {
  const account = { SEED_EMAIL: 'demo@example.com', SEED_PASSWORD: 'vivid-otter-9-x', SEED_PLAN: 'starter' };
  const first = await ended('seed-main', { ...account, PASSWORD_HASH_COST: undefined });
  t.equal(first.code, 0, first.output);
  const { passwordHash } = await stores.db.user.findUniqueOrThrow({ where: { email: account.SEED_EMAIL } });
  t.match(passwordHash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/, 'without a setting, at the cost of OWASP');
  const made = JSON.parse(first.output);
  t.ok(isWellFormedApiKey(made.api_key));
  const again = await ended('seed-main', { ...account, SEED_API_KEY: made.api_key });
  t.same(JSON.parse(again.output), made);
  const chosen = createApiKey((bytes) => crypto.getRandomValues(bytes));
  const third = JSON.parse((await ended('seed-main', { ...account, SEED_API_KEY: chosen })).output);
  t.match(third, { account_id: made.account_id, api_key: chosen });
  t.equal(await stores.db.apiKey.count({ where: { accountId: made.account_id } }), 2);
  const away = await ended('seed-main', { ...account, REDIS_URL: `redis://${await nowhere()}` });
  t.equal(away.code, 1);
  t.match(away.output, /^the demo account could not be made: [^\n]+\n$/, 'one sentence');
});

t.test('a seed that cannot be is refused with the name of its setting', async (t) => {
  const { deps } = await startControlPlane(t, stores);
  const account = { ...deps.config, SEED_EMAIL: 'taken@example.com', SEED_PASSWORD: 'vivid-otter-9-x' };
  const { api_key: taken } = await seed(account, deps);
  const wrong: [Partial<SeedConfig>, RegExp][] = [
    [{ SEED_API_KEY: 'nonsense' }, /SEED_API_KEY is not an API key/],
    [{ SEED_API_KEY: taken, SEED_EMAIL: 'other@example.com' }, /SEED_API_KEY belongs to another account/],
    [{ SEED_EMAIL: 'nonsense' }, /SEED_EMAIL/],
    [{ SEED_PLAN: 'platinum' }, /SEED_PLAN: there is no plan "platinum"/],
  ];
  for (const [changes, message] of wrong)
    await t.rejects(seed({ ...account, ...changes }, deps), { message });
});

t.test('without Postgres every answer is a 503, and it heals by itself', async (t) => {
  const databaseUrl = new URL(stores.databaseUrl);
  const road = await startProxy({ host: databaseUrl.hostname, port: Number(databaseUrl.port) });
  t.teardown(() => road.close());
  databaseUrl.port = String(road.port);
  const plane = await startControlPlane(t, { ...stores, databaseUrl: databaseUrl.href });
  const { call } = await plane.customer();
  road.cut();
  const login = { email: 'a@b.example', password: 'x' };
  const answers = [
    await call('GET', '/api/v1/auth/users/me/'),
    await call('POST', '/api/v1/dashboard/keys/', { name: 'k' }),
    await plane.call('POST', '/api/v1/auth/jwt/create/', login),
  ];
  for (const { status, body } of answers) {
    t.equal(status, 503);
    t.ok(body.error);
  }
  road.restore();
  await eventually(async () => (await call('GET', '/api/v1/auth/users/me/')).status === 200, SOON);
});
