import type { LoggedVerdict } from '@verdict/contracts/check-log-job.js';
import { packCheckLogs } from '@verdict/contracts/pack-check-logs.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import { accountKey, reservedKey } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { checkLog, createId } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, redis, deadLetters } = setting;

const drained = () =>
  eventually(async () => (await readBacklog(redis, 1)).oldestMs === null, { withinMs: 20_000 });

t.test(
  'a job that is delivered three times to four workers is one row and one count per check',
  async (t) => {
    const account = createId('acc');
    const decisions: LoggedVerdict['decision'][] = ['allow', 'challenge', 'review', 'block'];
    const batches = Array.from({ length: 40 }, (_, batch) =>
      Array.from({ length: 25 }, (_, index) =>
        checkLog({
          account_id: account,
          key_id: `key_${index % 3}`,
          verdict: { decision: decisions[(batch + index) % 4] ?? 'allow' },
        }),
      ),
    );
    const workers = await Promise.all(Array.from({ length: 4 }, () => setting.startWorker()));
    const deliveries = [...batches, ...batches, ...batches].sort(() => Math.random() - 0.5);
    await Promise.all(deliveries.map((batch) => setting.queueChecks(batch)));
    await drained();
    await Promise.all(workers.map((worker) => worker.stop()));

    t.strictSame(await setting.counts(account), { rows: 1000, counted: 1000, adjusted: 0 });
    const ids = await db.$queryRaw<{ id: string }[]>`SELECT id FROM check_logs WHERE account_id = ${account}`;
    t.strictSame(
      ids.map(({ id }) => id).sort(),
      batches
        .flat()
        .map(({ id }) => id)
        .sort(),
      'the very ids',
    );
    const cells = await db.$queryRaw<{ wrong: number }[]>`
    SELECT count(*)::int AS wrong FROM (
      SELECT key_id, date_trunc('hour', created_at, 'UTC') AS hour, decision, count(*) AS checks FROM check_logs
      WHERE account_id = ${account} GROUP BY 1, 2, 3
      EXCEPT SELECT key_id, hour, decision, checks FROM usage_hourly WHERE account_id = ${account}) d`;
    t.equal(cells[0]?.wrong, 0, 'cell by cell');
  },
);

t.test('created_at keeps its microseconds and decides the hour and the month', async (t) => {
  const account = createId('acc');
  const worker = await setting.startWorker();
  const last = checkLog({ account_id: account, created_at: '2026-11-30T23:59:59.999999+00:00' });
  const first = checkLog({ account_id: account, created_at: '2026-12-01T00:00:00.000000+00:00' });
  const unforeseen = checkLog({ account_id: account, created_at: '2031-07-15T12:00:00.000001+00:00' });
  await setting.queueChecks([last, first, unforeseen]);
  await drained();
  await worker.stop();
  const rows = await db.$queryRaw<{ month: string; checks: number }[]>`
    SELECT to_char(month, 'YYYY-MM') AS month, checks::int AS checks FROM billing.usage_monthly
    WHERE account_id = ${account} ORDER BY 1`;
  t.strictSame(rows, [
    { month: '2026-11', checks: 1 },
    { month: '2026-12', checks: 1 },
    { month: '2031-07', checks: 1 },
  ]);
  const [stored] = await db.$queryRaw<{ text: string }[]>`
    SELECT to_char(created_at AT TIME ZONE 'UTC', 'US') AS text FROM check_logs WHERE id = ${last.id}`;
  t.equal(stored?.text, '999999');
});

t.test('a poison record is set aside alone, with its payload, and its retry counts it once', async (t) => {
  const account = createId('acc');
  const good = Array.from({ length: 20 }, () => checkLog({ account_id: account }));
  const unfit = checkLog({ account_id: account, verdict: { risk_score: 300 } });
  // Fits the contract, but no text in Postgres can hold it.
  const unstorable = checkLog({ account_id: account, request_id: 'nul\u0000byte' });
  // Sent as it is, it would move the values of all rows behind it.
  const broken = checkLog({ account_id: account, request_id: 'two\nlines' });
  const worker = await setting.startWorker();
  await setting.queueChecks([...good.slice(0, 7), unfit, broken, ...good.slice(7), unstorable]);
  await drained();
  t.strictSame(await setting.counts(account), { rows: 20, counted: 20, adjusted: 0 });
  const letters = await deadLetters.list();
  t.strictSame(letters.map(({ logIds }) => logIds[0]).sort(), [unfit.id, unstorable.id, broken.id].sort());
  t.match(letters.find(({ logIds }) => logIds[0] === unfit.id)?.payload, packCheckLogs([unfit]));

  // Still poison: it must come back as a dead letter, not vanish.
  const before = letters.find(({ logIds }) => logIds[0] === unfit.id);
  t.equal(await deadLetters.retry(before?.id ?? ''), true);
  await drained();
  t.equal((await deadLetters.list()).length, 3);
  t.equal(await deadLetters.retry('no-such-letter'), false);

  // Mended by hand: counted once, however often it is retried.
  const mended = checkLog({ ...unstorable, request_id: 'req_mended' });
  await setting.queueChecks([mended]);
  await setting.queueChecks([mended]);
  await drained();
  t.strictSame(await setting.counts(account), { rows: 21, counted: 21, adjusted: 0 });
  for (const { id } of await deadLetters.list()) await deadLetters.remove(id);
  await worker.stop();
});

t.test('a job of an unknown version is set aside whole, not dropped', async (t) => {
  const worker = await setting.startWorker();
  const log = checkLog();
  await setting.queue({ v: 99, checks: [{ id: log.id, from: 'the future' }] });
  await setting.queue('not even an object');
  await drained();
  const letters = await deadLetters.list();
  t.equal(letters.length, 2);
  t.match(
    letters.find(({ logIds }) => logIds[0] === log.id),
    { reason: /version 99/, payload: { v: 99, checks: [{ from: 'the future' }] } },
  );
  for (const { id } of letters) await deadLetters.remove(id);
  await worker.stop();
});

t.test('a persisted check drops its reservation, and Redis is as empty as before', async (t) => {
  const account = createId('acc');
  const worker = await setting.startWorker();
  const checks = Array.from({ length: 10 }, () => checkLog({ account_id: account }));
  await redis.hset(accountKey(account), 'v', 1);
  for (const { id } of checks) await redis.zadd(reservedKey(account), Date.now() * 1000, id);
  await setting.queueChecks(checks);
  await drained();
  t.equal(await eventually(async () => (await redis.exists(reservedKey(account))) === 0), true);
  const left = (await redis.keys('verdict:queue:{0}:check-logs:*')).filter((key) => /:\d+$/.test(key));
  t.strictSame(left, [], 'no job is left behind');
  t.ok((await redis.xlen('verdict:queue:{0}:check-logs:events')) <= 1_000, 'the stream of events is bounded');
  await worker.stop();
});

t.test('last_used_at of a key follows its newest check to the minute and never goes back', async (t) => {
  const account = createId('acc');
  const key = createId('key');
  await db.account.create({ data: { id: account, name: 'a', plan: 'free' } });
  await db.apiKey.create({
    data: { id: key, accountId: account, name: 'k', prefix: 'vrd', lastFour: 'last', secretHash: key },
  });
  const moment = (text: string) => checkLog({ account_id: account, key_id: key, created_at: text });
  const lastUsedAfter = async (...times: string[]) => {
    const worker = await setting.startWorker();
    await setting.queueChecks(times.map((time) => moment(`2026-11-15T${time}.000000+00:00`)));
    await drained();
    await worker.stop();
    const found = await db.apiKey.findUnique({ where: { id: key } });
    return found?.lastUsedAt?.toISOString().slice(11, 19);
  };
  t.equal(await lastUsedAfter('10:00:00', '11:00:00'), '11:00:00');
  t.equal(await lastUsedAfter('09:00:00'), '11:00:00', 'an older check came late');
  t.equal(await lastUsedAfter('11:00:59'), '11:00:00', 'the same minute is not written again');
  t.equal(await lastUsedAfter('11:01:01'), '11:01:01');
});

t.test('EMAIL_STORAGE decides what is kept of a person, also inside the reasons', async (t) => {
  const expectations = {
    full: { email: 'Jane@Example.com', ip: '203.0.113.7' },
    masked: { email: 'J***@example.com', ip: '203.0.113.0' },
    hashed: { email: null, ip: null },
  };
  for (const [storage, expected] of Object.entries(expectations)) {
    const worker = await setting.startWorker({ EMAIL_STORAGE: storage });
    const log = checkLog({
      verdict: { reasons: ['The address jane@example.com is on your block list'] },
    });
    await setting.queueChecks([log]);
    await drained();
    await worker.stop();
    const [row] = await db.$queryRaw<Record<string, unknown>[]>`
      SELECT email, ip, domain, email_hash, reasons FROM check_subjects WHERE id = ${log.id}`;
    t.match(row, { ...expected, domain: 'example.com' }, storage);
    t.equal(row?.email_hash, hashEmail(setting.config.EMAIL_HASH_SECRET, 'jane@example.com'));
    t.equal(JSON.stringify(row?.reasons).includes('jane@example.com'), storage === 'full', storage);
  }
});
