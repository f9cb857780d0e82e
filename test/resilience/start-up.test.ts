import { createServer } from 'node:net';
import { createDatabase } from '@verdict/test-kit/create-database.js';
import { freePort } from '@verdict/test-kit/free-port.js';
import { startRedis } from '@verdict/test-kit/start-redis.js';
import t from 'tap';
import { stackEnvironments } from '../harness/stack-environments.js';
import { type ServiceEnvironment, type ServiceName, spawnService } from '../harness/start-service.js';

const redis = await startRedis();
const database = await createDatabase();
const environments = await stackEnvironments({}, redis.url, database.url);
t.teardown(async () => {
  await redis.stop();
  await database.drop();
});

/** pino's level for what ends a process. */
const FATAL = 60;
const NOWHERE_REDIS = 'redis://127.0.0.1:1';
const NOWHERE_POSTGRES = 'postgresql://nobody:nothing@127.0.0.1:1/none';

/** Runs a service that cannot start and returns what it said in the end. */
async function failingStart(name: ServiceName, settings: ServiceEnvironment) {
  const ports = { PORT: await freePort(), INTERNAL_PORT: await freePort() };
  const service = spawnService(name, { ...environments[name], ...ports, ...settings });
  const { code } = await service.exited;
  const lines = service.output().trim().split('\n');
  const said = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
  return { code, output: service.output(), last: said.find(({ level }) => level === FATAL) ?? { msg: '' } };
}

const CASES: [string, ServiceName, ServiceEnvironment, RegExp][] = [
  [
    'gateway without Redis',
    'gateway',
    { REDIS_URL: NOWHERE_REDIS },
    /cannot start: Redis cannot be reached .*ECONNREFUSED/,
  ],
  [
    'control plane without Redis',
    'control-plane',
    { REDIS_URL: NOWHERE_REDIS },
    /cannot start: Redis cannot be reached/,
  ],
  [
    'control plane without Postgres',
    'control-plane',
    { DATABASE_URL: NOWHERE_POSTGRES },
    /cannot start: Postgres/,
  ],
  ['worker without Redis', 'worker', { REDIS_URL: NOWHERE_REDIS }, /cannot start: Redis cannot be reached/],
  [
    'worker without Postgres',
    'worker',
    { DATABASE_URL: NOWHERE_POSTGRES },
    /cannot start: Postgres cannot be reached/,
  ],
  ['scoring without its data', 'scoring', { DATASETS_DIR: '/nowhere' }, /cannot start: .*\/nowhere/],
  [
    'gateway with a bad environment',
    'gateway',
    { REDIS_URL: undefined, BATCH_MAX: 'many', INTERNAL_TOKEN: 'short' },
    /(?=.*INTERNAL_TOKEN )(?=.*BATCH_MAX )(?=.*REDIS_URL is missing)/,
  ],
];

t.test('a start that cannot succeed ends with one clear sentence and a non-zero exit', async (t) => {
  for (const [name, service, settings, sentence] of CASES) {
    const { code, last, output } = await failingStart(service, settings);
    t.equal(code, 1, `${name}: exit code`);
    t.match(last.msg, sentence, name);
    t.notMatch(output, /^\s+at .*\.js:\d+/m, `${name}: no stack trace`);
  }
});

t.test('a taken port is named', async (t) => {
  const port = await freePort();
  const squatter = createServer().listen(port, '127.0.0.1');
  t.teardown(() => squatter.close());
  for (const service of ['gateway', 'scoring'] as const) {
    const { code, last } = await failingStart(service, { PORT: port });
    t.equal(code, 1);
    t.match(last.msg, new RegExp(`cannot start: .*${port}`), service);
  }
});
