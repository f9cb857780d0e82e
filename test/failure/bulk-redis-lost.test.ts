import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monthOf } from '@verdict/domain/month.js';
import { childEnvironment } from '@verdict/local-stack/child-environment.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { programFile } from '@verdict/local-stack/program.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import t, { type Test } from 'tap';
import { startProcess } from '../../scripts/lib/start-process.mjs';
import { openMetering } from './support/open-metering.js';
import { readUsed } from './support/read-used.js';

/** Redis loses what it knows under running jobs, and nobody calls the API: each job ends by itself, counted once. */
const ROWS = 400;
/** A chunk is half of it. */
const RATE = 100;
const CHUNK = RATE / 2;
/** Chunks that may be between the step and Postgres when Redis goes, with their logs. */
const ON_THEIR_WAY_MAX = 2 * CHUNK;

const plansFile = join(t.testdir(), 'plans.json');
const plan = {
  checks_per_month: 1_000_000,
  checks_per_second: RATE,
  bulk_rows_max: 1_000,
  retention_days: 30,
};
await writeFile(plansFile, JSON.stringify({ free: plan }));
const stack = await startStack({ env: { all: { PLANS_FILE: plansFile } } });
const metering = openMetering(stack.redis.url, stack.database.url);
t.teardown(async () => {
  await metering.close();
  await stack.stop();
});
const PATIENT = { withinMs: 180_000, everyMs: 200 };

async function startJob(name: string): Promise<string> {
  const emails = Array.from({ length: ROWS }, (_, i) => `${name}-${i}@gmail.com`);
  const sent = await stack.api<{ job: { id: string } }>('jobs/?start=auto', {
    method: 'POST',
    body: `email\n${emails.join('\n')}\n`,
    headers: { 'content-type': 'text/csv' },
  });
  return sent.body.job.id;
}

const stateOf = async (id: string) => {
  const [job] = await stack.sql<{ done: number; status: string }>(
    'SELECT done, status FROM bulk_jobs WHERE id = $1',
    [id],
  );
  return job ?? { done: 0, status: 'gone' };
};

const isUnderWay = (id: string) => eventually(async () => (await stateOf(id)).done >= CHUNK, PATIENT);

const isDrained = (shards: number) =>
  eventually(async () => (await readBacklog(metering.redis, shards)).oldestMs === null, PATIENT);

async function assertEnds(t: Test, id: string, { shards = 1, lostMax = ON_THEIR_WAY_MAX } = {}) {
  t.equal((await stateOf(id)).status, 'running', 'it was running');
  await eventually(async () => (await stateOf(id)).status === 'completed', PATIENT);
  t.equal((await stateOf(id)).done, ROWS);
  await isDrained(shards);
  const rows = await stack.sql<{ hash: string }>(
    `SELECT s.email_hash AS hash FROM check_logs l JOIN check_subjects s ON s.id = l.id
     WHERE l.request_id = $1`,
    [id],
  );
  t.equal(new Set(rows.map(({ hash }) => hash)).size, rows.length, 'no address has two rows');
  t.ok(rows.length >= ROWS - lostMax, `${rows.length} of ${ROWS} have one`);
  // A log that a worker held is stored after Postgres was asked for the count: the daily reconciliation adds it.
  const month = monthOf(new Date());
  const found = await reconcile({ ...metering, shards }, month, 'counters');
  const [results, others] = [true, false].map((is) => found.filter(({ kind }) => (kind === 'result') === is));
  t.match(others, lostMax === 0 ? [] : (others ?? []).map(() => ({ kind: 'counter', repaired: true })));
  const [stored] = await stack.sql<{ checks: number; results: number }>(
    `SELECT count(*)::int AS checks,
       (SELECT count(*)::int FROM bulk_addresses WHERE log_id IS NOT NULL) AS results FROM check_logs`,
  );
  const lost = (stored?.results ?? 0) - (stored?.checks ?? 0);
  t.strictSame(
    results?.map(({ expected }) => expected),
    lost > 0 ? [lost] : [],
    'every result without a log is named',
  );
  t.equal(await readUsed(metering.redis, stack.accountId, month), stored?.checks, 'the counter is the rows');
}

/** The files of Redis, and what a crash leaves of them. */
const directory = async () => (await metering.redis.config('GET', 'dir'))[1] ?? '';

async function crashWith(files: string | null): Promise<void> {
  const place = await directory();
  await stack.redis.kill();
  await rm(place, { recursive: true });
  if (files === null) await mkdir(place);
  else await cp(files, place, { recursive: true });
  await stack.redis.restart();
}

t.test('Redis is emptied under a running job', async (t) => {
  const id = await startJob('emptied');
  await isUnderWay(id);
  await metering.redis.flushall();
  await assertEnds(t, id);
});

t.test('Redis dies and loses its disk', async (t) => {
  const id = await startJob('lost');
  await isUnderWay(id);
  await crashWith(null);
  await assertEnds(t, id);
});

t.test('Redis comes back from an older copy', async (t) => {
  const copy = join(t.testdir(), 'redis');
  await cp(await directory(), copy, { recursive: true });
  const id = await startJob('older');
  await isUnderWay(id);
  await crashWith(copy);
  await assertEnds(t, id);
});

t.test('the number of shards changes, as docs/scaling.md says', async (t) => {
  const { worker, 'control-plane': controlPlane } = stack.environments;
  const id = await startJob('resharded');
  await isUnderWay(id);
  for (const service of [...stack.gateways, ...stack.workers]) await service.stop();
  const draining = await startService('worker', { ...worker, SCORING_URLS: undefined });
  await isDrained(1);
  await draining.stop();
  await stack.controlPlane.stop();
  const command = startProcess(
    process.execPath,
    [programFile('verdict'), 'shards', '6'],
    childEnvironment({ REDIS_URL: stack.redis.url }),
  );
  t.equal((await command.exited).code, 0, command.output());
  const again = await startService('control-plane', { ...controlPlane, REDIS_SHARDS: 6 });
  t.teardown(() => again.stop());
  const running = await startService('worker', { ...worker, REDIS_SHARDS: 6 });
  t.teardown(() => running.stop());
  await assertEnds(t, id, { shards: 6, lostMax: 0 });
});
