import { spawn } from 'node:child_process';
import { eventually } from '@verdict/local-stack/eventually.js';
import { programFile } from '@verdict/local-stack/program.js';
import { startProxy } from '@verdict/local-stack/start-proxy.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import t from 'tap';
import { createWatchdog } from '../src/check-logs/watchdog.js';
import { checkLog, createId } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { redis } = setting;
const target = new URL(setting.databaseUrl);
const proxy = await startProxy({ host: target.hostname, port: Number(target.port) });
t.teardown(() => proxy.close());
const throughProxy = new URL(setting.databaseUrl);
throughProxy.port = String(proxy.port);

const drained = () =>
  eventually(async () => (await readBacklog(redis, 1)).oldestMs === null, { withinMs: 120_000 });

t.test('Postgres away: logs wait in order, and the worker catches up by itself', async (t) => {
  const account = createId('acc');
  const worker = await setting.startWorker({ DATABASE_URL: throughProxy.href });
  await setting.queueChecks([checkLog({ account_id: account })]);
  await drained();
  proxy.cut();
  for (let i = 0; i < 30; i++) await setting.queueChecks([checkLog({ account_id: account })]);
  await eventually(async () => (await readBacklog(redis, 1)).active > 0);
  t.equal((await setting.counts(account)).rows, 1);
  const backlog = await readBacklog(redis, 1);
  t.equal(backlog.failed + backlog.delayed, 0, 'no job is blamed for it');
  proxy.restore();
  await drained();
  t.strictSame(await setting.counts(account), { rows: 31, counted: 31, adjusted: 0 });
  await worker.stop();
});

t.test('a worker that is stopped while Postgres is away gives its jobs back', async (t) => {
  const account = createId('acc');
  const worker = await setting.startWorker({ DATABASE_URL: throughProxy.href });
  await eventually(() => true);
  proxy.cut();
  await setting.queueChecks([checkLog({ account_id: account }), checkLog({ account_id: account })]);
  await eventually(async () => (await readBacklog(redis, 1)).active > 0);
  await worker.stop();
  proxy.restore();
  const next = await setting.startWorker();
  await drained();
  t.strictSame(await setting.counts(account), { rows: 2, counted: 2, adjusted: 0 });
  await next.stop();
});

t.test('Redis killed and back: the worker consumes again by itself', async (t) => {
  const account = createId('acc');
  const worker = await setting.startWorker();
  await setting.queueChecks([checkLog({ account_id: account })]);
  await drained();
  await setting.server.kill();
  await setting.server.restart();
  await setting.queueChecks([checkLog({ account_id: account })]);
  await drained();
  t.strictSame(await setting.counts(account), { rows: 2, counted: 2, adjusted: 0 });
  await worker.stop();
});

t.test('a start that cannot succeed says one sentence and exits with 1', async (t) => {
  const good = {
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
    REDIS_URL: setting.server.url,
    DATABASE_URL: setting.databaseUrl,
    EMAIL_HASH_SECRET: '0123456789abcdef',
  };
  const cases: [Record<string, string>, RegExp][] = [
    [
      { EMAIL_STORAGE: 'half', INTERNAL_PORT: 'x' },
      /configuration is not valid: INTERNAL_PORT .*; EMAIL_STORAGE /,
    ],
    [{ REDIS_URL: 'redis://127.0.0.1:9' }, /Redis cannot be reached/],
    [{ DATABASE_URL: 'postgresql://postgres@127.0.0.1:9/x' }, /Postgres cannot be reached/],
    [{ PLANS_FILE: '/nowhere.json' }, /PLANS_FILE .*is not usable/],
  ];
  for (const [wrong, sentence] of cases) {
    const { code, output } = await run({ ...good, ...wrong });
    t.equal(code, 1);
    const fatal = output.split('\n').filter((line) => line.includes('"level":60'));
    t.equal(fatal.length, 1, 'one line');
    t.match(JSON.parse(fatal[0] ?? '{}').msg, sentence);
    t.notMatch(output, /\n\s+at /, 'no call stack');
  }
});

t.test('the watchdog barks only at a consumer that stopped while it could work', async (t) => {
  const silent = createWatchdog(60_000);
  t.equal(silent({ waiting: 5, signsOfLife: 1 }, 0), false);
  t.equal(silent({ waiting: 5, signsOfLife: 1 }, 59_000), false);
  t.equal(silent({ waiting: 5, signsOfLife: 1 }, 60_000), true);
  t.equal(silent({ waiting: 5, signsOfLife: 2 }, 61_000), false, 'it tried something');
  t.equal(silent({ waiting: null, signsOfLife: 2 }, 140_000), false, 'nobody knows whether jobs wait');
  t.equal(silent({ waiting: 0, signsOfLife: 2 }, 210_000), false, 'nothing to do');
});

function run(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const entry = programFile('worker');
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [entry], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ code, output }));
  });
}
