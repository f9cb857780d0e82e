import { randomFillSync } from 'node:crypto';
import { createAdmission } from '@verdict/admission/admission.js';
import { createRedisClock } from '@verdict/admission/redis-clock.js';
import { readProjectionSnapshot } from '@verdict/db/accounts/projection-snapshot.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { closeMonths } from '@verdict/metering/close-months.js';
import { pendingOfMonth } from '@verdict/metering/pending-of-month.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { createCheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import { readCounter } from '@verdict/redis-store/counters.js';
import { projectAccount } from '@verdict/redis-store/project.js';
import t from 'tap';
import { type CheckLog, checkLog, createId, rowsOf, verdictOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, redis, deadLetters, config } = setting;
const privacy = { storage: 'full', hashSecret: config.EMAIL_HASH_SECRET } as const;
const persist = (logs: readonly CheckLog[], into = db) => persistChecks(into, rowsOf(logs, privacy));
const running = monthOf(new Date());
const last = addMonths(running, -1);
const closeOptions = { plans: config.plans, graceMs: 0 };

const account = async (): Promise<string> => {
  const id = createId('acc');
  await db.account.create({
    data: { id, name: id, plan: 'free', createdAt: new Date('2026-01-01T00:00:00Z') },
  });
  return id;
};

t.test('repairing while checks are in flight finds nothing and changes nothing', async (t) => {
  const id = await account();
  const caller = { accountId: id, keyId: 'key_1', credential: 'key_1' };
  await projectAccount(setting, {
    accountId: id,
    version: 1,
    plan: 'free',
    limit: 10_000,
    rate: 100_000,
    used: [],
    credentials: [{ name: 'key_1', status: 'active' }],
    listsVersion: 0,
    lists: [],
  });
  const steps = connectForRequests({ url: setting.server.url, timeoutMs: 20_000 }, 'steps');
  const inserts = await createCheckLogInserts({ connection: redis, shards: 1, onError: () => {} });
  const admission = createAdmission({
    store: { redis: steps, shards: 1 },
    inserts,
    clock: await createRedisClock(steps),
    createBatchId: () => createId('bat'),
    project: async () => {},
    batchMax: 128,
    waitingMax: 1_000,
  });
  const worker = await setting.startWorker();
  let isOver = false;
  const verdict = verdictOf();
  const clients = Array.from({ length: 8 }, async () => {
    for (let i = 0; i < 60; i++) {
      const check = {
        id: createId('log'),
        email: 'a@b.c',
        canonical: 'a@b.c',
        ip: null,
        normalIp: '',
        verdict,
      };
      const { state } = await admission.take({ caller, requestId: createId('req'), checks: [check] });
      if (state !== 'granted') throw new Error(state);
    }
  });
  const found: unknown[] = [];
  const repairing = (async () => {
    while (!isOver) found.push(...(await reconcile(setting, running, 'everything')));
  })();
  await Promise.all(clients);
  await eventually(async () => (await setting.counts(id)).rows === 480);
  isOver = true;
  await repairing;
  t.strictSame(found, [], 'a check on its way is no difference');
  t.strictSame(await setting.counts(id), { rows: 480, counted: 480, adjusted: 0 });
  t.equal((await readCounter(setting, id, running, []))?.used, 480);
  await worker.stop();
  await inserts.close();
  steps.disconnect();
});

t.test('a letter that nobody can read holds the month open in which it was queued', async (t) => {
  const endMs = monthBounds(last).end.getTime();
  const letter = { id: 'opaque', reason: 'from the future', logIds: [], shard: 0, payload: 'opaque' };
  await deadLetters.add({ ...letter, queuedAtMs: Date.now() });
  t.equal(await pendingOfMonth(setting, last), null, 'it is of another month');
  await deadLetters.add({ ...letter, id: 'opaque-2', queuedAtMs: endMs - 1 });
  t.match(await pendingOfMonth(setting, last), /dead letters/);
  for (const { id } of await deadLetters.list()) await deadLetters.remove(id);
});

t.test('a dead letter holds its month open although the gateway’s clock was ahead', async (t) => {
  const endMs = monthBounds(last).end.getTime();
  const madeAt = createIdFactory(() => endMs + 2_000, randomFillSync)('log');
  await deadLetters.add({
    id: 'ahead',
    reason: 'test',
    logIds: [madeAt],
    queuedAtMs: endMs,
    shard: 0,
    payload: null,
  });
  t.match(await pendingOfMonth(setting, last), /dead letters/);
  await deadLetters.remove('ahead');
  t.equal(await pendingOfMonth(setting, last), null);
});

t.test('months, hours and counts are those of UTC, whatever zone the database is set to', async (t) => {
  const url = new URL(setting.databaseUrl);
  const name = decodeURIComponent(url.pathname.slice(1));
  await db.$executeRawUnsafe(`ALTER DATABASE "${name}" SET timezone = 'Pacific/Auckland'`);
  const far = connectDatabase({ url: setting.databaseUrl, name: 'far' });
  const abroad = { ...setting, db: far };
  const id = await account();
  const [{ zone } = { zone: '' }] = await far.$queryRaw<
    { zone: string }[]
  >`SELECT current_setting('timezone') AS zone`;
  t.equal(zone, 'Pacific/Auckland');
  const end = monthBounds(last).end.toISOString().slice(0, 10);
  const lastDay = new Date(monthBounds(last).end.getTime() - 1).toISOString().slice(0, 10);
  await persist(
    [
      `${last}-01T00:00:00.000000+00:00`,
      `${lastDay}T23:59:59.999999+00:00`,
      `${end}T00:00:00.000000+00:00`,
    ].map((created_at) => checkLog({ account_id: id, created_at })),
    far,
  );
  t.strictSame(await reconcile(abroad, last), []);
  t.strictSame(await reconcile(abroad, running), []);
  const months = await far.$queryRaw<unknown[]>`
    SELECT to_char(month, 'YYYY-MM') AS month, checks::int AS checks FROM billing.usage_monthly
    WHERE account_id = ${id} ORDER BY 1`;
  t.strictSame(months, [
    { month: last, checks: 2 },
    { month: running, checks: 1 },
  ]);
  const snapshot = await readProjectionSnapshot(far, id, false);
  t.match(
    snapshot?.used.filter(({ checks }) => checks > 0),
    [
      { month: last, checks: 2 },
      { month: running, checks: 1 },
    ],
  );
  t.match(await closeMonths(abroad, { ...closeOptions, month: last }), [{ month: last, outcome: 'closed' }]);
  const [billed] = await far.$queryRaw<unknown[]>`
    SELECT used::int AS used FROM statements WHERE account_id = ${id} AND month = (${last} || '-01')::date`;
  t.strictSame(billed, { used: 2 });
  await db.$executeRawUnsafe(`ALTER DATABASE "${name}" RESET timezone`);
  await far.$disconnect();
});

t.test('a late check is in the counter of a Redis that was filled again', async (t) => {
  const id = await account();
  await persist([checkLog({ account_id: id, created_at: `${last}-10T10:00:00.000001+00:00` })]);
  t.strictSame(await setting.counts(id), { rows: 1, counted: 0, adjusted: 1 }, 'the month was closed above');
  const snapshot = await readProjectionSnapshot(db, id, false);
  t.match(
    snapshot?.used.find(({ month }) => month === last),
    { checks: 1 },
  );
});

t.test('rollups of a closed month that somebody changed are not made good with money', async (t) => {
  const id = await account();
  const month = addMonths(last, -2);
  await persist(
    [1, 2, 3].map(() => checkLog({ account_id: id, created_at: `${month}-10T10:00:00.000001+00:00` })),
  );
  await closeMonths(setting, { ...closeOptions, month, force: true });
  await db.$executeRaw`UPDATE usage_hourly SET checks = checks + 1 WHERE account_id = ${id}`;
  const found = await reconcile(setting, month, 'everything');
  t.match(found, [
    { accountId: id, kind: 'rollup', expected: 3, found: 4, repaired: false },
    { accountId: id, kind: 'statement', expected: 4, found: 3, repaired: false },
  ]);
  t.match(await setting.counts(id), { adjusted: 0 }, 'the statement was right: nothing is credited');
  await db.$executeRaw`UPDATE usage_hourly SET checks = checks - 1 WHERE account_id = ${id}`;
  t.strictSame(await reconcile(setting, month), []);
});
