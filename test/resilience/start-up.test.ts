import { createServer, connect as dial, type Socket } from 'node:net';
import type { Settings } from '@verdict/local-stack/child-environment.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { freePort } from '@verdict/local-stack/free-port.js';
import { stackEnvironments } from '@verdict/local-stack/stack-environments.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { type ServiceName, spawnService } from '@verdict/local-stack/start-service.js';
import t, { type Test } from 'tap';

const redis = await startRedis();
const database = await createDatabase();
const environments = await stackEnvironments(redis.url, database);
t.teardown(async () => {
  await redis.stop();
  await database.drop();
});

/** pino's level for what ends a process. */
const FATAL = 60;
const NOWHERE_REDIS = 'redis://127.0.0.1:1';
const NOWHERE_POSTGRES = 'postgresql://nobody:nothing@127.0.0.1:1/none';

/** Runs a service that cannot start and returns what it said in the end. */
async function failingStart(name: ServiceName, settings: Settings) {
  const ports = { PORT: await freePort(), INTERNAL_PORT: await freePort() };
  const service = spawnService(name, { ...environments[name], ...ports, ...settings });
  const { code } = await service.exited;
  const lines = service.output().trim().split('\n');
  const said = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
  return { code, output: service.output(), last: said.find(({ level }) => level === FATAL) ?? { msg: '' } };
}

const CASES: [string, ServiceName, Settings, RegExp][] = [
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
  const ends = CASES.map(async ([name, service, settings, sentence]) => {
    const { code, last, output } = await failingStart(service, settings);
    t.equal(code, 1, `${name}: exit code`);
    t.match(last.msg, sentence, name);
    t.notMatch(output, /^\s+at .*\.js:\d+/m, `${name}: no stack trace`);
  });
  await Promise.all(ends);
});

t.test('a patient start waits for stores that come later', async (t) => {
  const late = await startRedis();
  t.teardown(() => late.stop());
  await late.kill();
  const wait = async (name: 'gateway' | 'control-plane' | 'worker') => {
    const INTERNAL_PORT = await freePort();
    const service = spawnService(name, {
      ...environments[name],
      PORT: await freePort(),
      INTERNAL_PORT,
      REDIS_URL: late.url,
      START_PATIENCE_SECONDS: 600,
    });
    await eventually(() => /cannot start yet: Redis cannot be reached/.test(service.output()));
    return { name, service, INTERNAL_PORT };
  };
  const waiting = await Promise.all((['gateway', 'control-plane', 'worker'] as const).map(wait));
  await late.restart();
  for (const { name, service, INTERNAL_PORT } of waiting) {
    t.ok(await eventually(() => accepts(INTERNAL_PORT)), `${name} starts once Redis is there`);
    service.signal('SIGTERM');
    t.equal((await service.exited).code, 0);
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

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = dial(port, '127.0.0.1');
    socket.once('connect', () => socket.destroy() && resolve(true));
    socket.once('error', () => resolve(false));
  });

t.test('SIGTERM in the instant in which a service comes up stops it in order', async (t) => {
  for (const name of ['scoring', 'control-plane', 'worker', 'gateway'] as const) {
    const INTERNAL_PORT = await freePort();
    const service = spawnService(name, { ...environments[name], PORT: await freePort(), INTERNAL_PORT });
    await eventually(() => accepts(INTERNAL_PORT), { everyMs: 1 });
    service.signal('SIGTERM');
    const { code, signal } = await service.exited;
    t.strictSame({ code, signal }, { code: 0, signal: null }, `${name} ends well`);
    t.match(service.output(), /"msg":"stopping".*"msg":"stopped"/s, `${name} says so`);
  }
});

/** Takes connections and never says a word. */
async function startSilentServer(t: Test) {
  const asking = new Set<Socket>();
  const port = await freePort();
  const server = createServer((socket) => void asking.add(socket)).listen(port, '127.0.0.1');
  t.teardown(() => {
    for (const socket of asking) socket.destroy();
    server.close();
  });
  return { port, isAsked: () => asking.size > 0 };
}

t.test('SIGTERM ends a start that waits for something that never answers', async (t) => {
  const stopWaiting = async (name: ServiceName) => {
    const { port, isAsked } = await startSilentServer(t);
    const service = spawnService(name, {
      ...environments[name],
      PORT: await freePort(),
      INTERNAL_PORT: await freePort(),
      REDIS_URL: `redis://127.0.0.1:${port}`,
      DATABASE_URL: `postgresql://a:b@127.0.0.1:${port}/c`,
    });
    await eventually(isAsked);
    service.signal('SIGTERM');
    t.equal((await service.exited).code, 0, `${name} ends well`);
    t.notMatch(service.output(), /cannot start/, `${name} does not blame what it waited for`);
  };
  // Each waits two seconds for its start to come to an end: side by side they do it once.
  await Promise.all((['gateway', 'control-plane', 'worker'] as const).map(stopWaiting));
});
