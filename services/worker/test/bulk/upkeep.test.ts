import { completeBulkJob } from '@verdict/db/bulk/bulk-lease.js';
import { appendBulkRows } from '@verdict/db/bulk/bulk-upload.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { addressHash } from '@verdict/domain/address/address-hash.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import type { Redis } from 'ioredis';
import t from 'tap';
import { createBulkTasks } from '../../src/bulk/upkeep.js';
import { createId } from '../support/check-log.js';
import { setUp } from '../support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, redis } = setting;
const DAY_MS = 86_400_000;

/** A job of one row after this many days. */
async function job(data: object) {
  const accountId = createId('acc');
  await db.account.create({ data: { id: accountId, name: 'a', plan: 'free' } });
  const id = createId('job');
  const expiresAt = new Date(Date.now() + DAY_MS);
  await db.bulkJob.create({ data: { id, accountId, keyId: 'key_1', format: 'csv', expiresAt } });
  const email = 'jane@example.org';
  const row = { cells: JSON.stringify([email]), hash: addressHash(email), email, error: null };
  await appendBulkRows(db, id, [row], { bytes: 0, rows: 0, malformed: 0, addresses: 0 });
  await db.bulkJob.update({ where: { id }, data });
  return id;
}

const upkeep = async (from = redis) => {
  const nobody = { look: () => Promise.reject(new Error('upkeep asks nobody')) };
  const tasks = createBulkTasks({ db, redis: from }, nobody, createLogger('worker', 'silent'));
  await tasks.find(({ name }) => name === 'bulk-upkeep')?.run();
};
const left = async (id: string) => ({
  job: await db.bulkJob.findUnique({ where: { id } }),
  rows: await db.bulkRow.count({ where: { jobId: id } }),
  addresses: await db.bulkAddress.count({ where: { jobId: id } }),
});

t.test(
  'a job whose time is over loses its rows and keeps its figures; a younger one keeps both',
  async (t) => {
    const over = { expiresAt: new Date(Date.now() - 1_000) };
    const old = await job({
      status: 'completed',
      done: 1,
      allowed: 1,
      name: 'people.csv',
      idempotencyKey: 'k',
      ...over,
    });
    const running = await job({ status: 'running', ...over });
    const young = await job({ status: 'completed', done: 1 });
    await upkeep();
    t.match(await left(old), {
      job: { status: 'expired', done: 1, allowed: 1, name: null, idempotencyKey: null },
      rows: 0,
      addresses: 0,
    });
    t.match(await left(running), { job: { status: 'running' }, rows: 1 });
    t.match(await left(young), { job: { status: 'completed' }, rows: 1, addresses: 1 });
  },
);

t.test('an upload that nobody goes on with has failed, and its Idempotency-Key is free', async (t) => {
  const dead = await job({ idempotencyKey: 'k' });
  const alive = await job({ idempotencyKey: 'k' });
  const stored = await job({ idempotencyKey: 'k', stored: '{}' });
  const touchedAt = new Date(Date.now() - DAY_MS);
  for (const id of [dead, stored]) await db.bulkJob.update({ where: { id }, data: { touchedAt } });
  await upkeep();
  t.match(await left(dead), {
    job: { status: 'failed', failedBecause: /interrupted/, idempotencyKey: null },
    rows: 0,
    addresses: 0,
  });
  for (const id of [alive, stored])
    t.match(await left(id), { job: { status: 'parsing', idempotencyKey: 'k' }, rows: 1 });
});

t.test('what a deletion left behind is deleted', async (t) => {
  const half = await job({ status: 'canceled', erased: true });
  await db.bulkJob.update({ where: { id: half }, data: { touchedAt: new Date(Date.now() - DAY_MS) } });
  await upkeep();
  t.match(await left(half), { job: null, rows: 0, addresses: 0 });
});

t.test('while the clocks of Redis and Postgres disagree no file expires and no upload ends', async (t) => {
  const over = await job({ status: 'completed', done: 1, expiresAt: new Date(Date.now() - 1_000) });
  const silent = await job({});
  await db.bulkJob.update({ where: { id: silent }, data: { touchedAt: new Date(Date.now() - DAY_MS) } });
  const anHourBack = new Proxy(redis as Redis, {
    get: (target, name) =>
      name === 'time' ? async () => [Math.floor(Date.now() / 1000) - 3_600, 0] : Reflect.get(target, name),
  });
  await t.rejects(upkeep(anHourBack), { name: 'ClocksDisagree' });
  t.match(await left(over), { job: { status: 'completed' }, rows: 1, addresses: 1 });
  t.match(await left(silent), { job: { status: 'parsing' }, rows: 1 });
  await upkeep();
  t.match(await left(over), { job: { status: 'expired' }, rows: 0 });
});

t.test('a file is kept for thirty days, whichever clock was wrong when its job ended', async (t) => {
  const ahead = await job({ status: 'completed', done: 1, expiresAt: new Date(Date.now() + 400 * DAY_MS) });
  const behind = await job({ status: 'running', done: 1, addresses: 1 });
  await db.$executeRawUnsafe('CREATE SCHEMA behind');
  await db.$executeRawUnsafe(`
    CREATE FUNCTION behind.now() RETURNS TIMESTAMPTZ LANGUAGE sql STABLE
      AS $$ SELECT pg_catalog.now() - interval '40 days' $$`);
  const url = new URL(setting.databaseUrl);
  url.searchParams.set('options', '-c search_path=public,behind,pg_catalog');
  const late = connectDatabase({ url: url.href, name: 'test' });
  await completeBulkJob(late, behind);
  await late.$disconnect();
  t.match(await left(behind), { job: { status: 'completed' } });
  await upkeep();
  for (const id of [ahead, behind]) {
    const { job: kept, rows } = await left(id);
    const days = ((kept?.expiresAt.getTime() ?? 0) - Date.now()) / DAY_MS;
    t.match(
      { status: kept?.status, rows, days: Math.round(days) },
      { status: 'completed', rows: 1, days: 30 },
    );
  }
});
