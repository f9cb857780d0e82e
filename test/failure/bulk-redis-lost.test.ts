import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { forgetProjections } from '@verdict/redis-store/forget-projections.js';
import t, { type Test } from 'tap';

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
t.teardown(() => stack.stop());
const { client } = stack.redis;
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

async function assertEnds(t: Test, id: string): Promise<void> {
  t.equal((await stateOf(id)).status, 'running', 'it was running');
  await eventually(async () => (await stateOf(id)).status === 'completed', PATIENT);
  t.equal((await stateOf(id)).done, ROWS);
  const logged = async () =>
    stack.sql<{ hash: string }>(
      `SELECT s.email_hash AS hash FROM check_logs l JOIN check_subjects s ON s.id = l.id
       WHERE l.request_id = $1`,
      [id],
    );
  const rows = await eventually(async () => {
    const found = await logged();
    return found.length >= ROWS - ON_THEIR_WAY_MAX && found;
  }, PATIENT);
  t.equal(new Set(rows.map(({ hash }) => hash)).size, rows.length, 'no address has two rows');
  t.ok(rows.length >= ROWS - ON_THEIR_WAY_MAX, `${rows.length} of ${ROWS} have one`);
}

t.test('Redis is emptied under a running job', async (t) => {
  const id = await startJob('emptied');
  await isUnderWay(id);
  await client.flushall();
  await assertEnds(t, id);
});

t.test('every projection is dropped, as a change of shards does', async (t) => {
  const id = await startJob('dropped');
  await isUnderWay(id);
  await Promise.all(stack.workers.map((worker) => worker.kill()));
  await forgetProjections({ redis: client, shards: 1 });
  await Promise.all(stack.workers.map((worker) => worker.restart()));
  await assertEnds(t, id);
});

t.test('Redis comes back from an older copy', async (t) => {
  const copy = new Map<string, { dump: Buffer; ttl: number }>();
  for (const key of await client.keys('verdict:*')) {
    const dump = await client.dumpBuffer(key);
    if (dump) copy.set(key, { dump, ttl: Math.max(0, await client.pttl(key)) });
  }
  const id = await startJob('older');
  await isUnderWay(id);
  await client.flushall();
  for (const [key, { dump, ttl }] of copy) await client.restore(key, ttl, dump, 'REPLACE');
  await assertEnds(t, id);
});
