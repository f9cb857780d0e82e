import { databaseNow } from '@verdict/db/database/database-now.js';
import { noteBackup, noteReconciliation } from '@verdict/db/database/observations.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import { deadLetterId } from '@verdict/queues/dead-letters.js';
import { noteKey } from '@verdict/redis-store/keys.js';
import { Registry } from 'prom-client';
import t from 'tap';
import { createBillingGauges } from '../src/billing-gauges.js';
import { checkLog, createId, jobOf, verdictOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, redis, deadLetters } = setting;

const drained = () =>
  eventually(async () => (await readBacklog(redis, 1)).oldestMs === null, { withinMs: 120_000 });

t.test(
  'a job that is delivered three times to four workers is one row and one count per check',
  async (t) => {
    const account = createId('acc');
    const verdicts = (['allow', 'challenge', 'review', 'block'] as const).map((decision) =>
      verdictOf(decision),
    );
    const batches = Array.from({ length: 40 }, (_, batch) =>
      Array.from({ length: 25 }, (_, index) =>
        checkLog({
          account_id: account,
          key_id: `key_${index % 3}`,
          verdict: verdicts[(batch + index) % 4] ?? verdictOf(),
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
  const created_at = '2026-11-15T10:00:00.000001+00:00';
  const good = Array.from({ length: 20 }, () => checkLog({ account_id: account, created_at }));
  // Fits the contract, but no text in Postgres can hold it.
  const unstorable = checkLog({ account_id: account, created_at, request_id: 'nul\u0000byte' });
  // Sent as it is, it would move the values of all rows behind it.
  const broken = checkLog({ account_id: account, created_at, request_id: 'two\nlines' });
  const worker = await setting.startWorker();
  await setting.queueChecks([...good.slice(0, 7), broken, ...good.slice(7), unstorable]);
  await drained();
  t.strictSame(await setting.counts(account), { rows: 20, counted: 20, adjusted: 0 });
  const letters = await deadLetters.list();
  t.strictSame(letters.map(({ logIds }) => logIds[0]).sort(), [unstorable.id, broken.id].sort());
  const before = letters.find(({ logIds }) => logIds[0] === unstorable.id);
  t.match(before?.payload, jobOf([unstorable]), 'it holds everything that a retry needs');

  // Still poison: it must come back as a dead letter, not vanish.
  t.equal(await deadLetters.retry(before?.id ?? ''), true);
  await drained();
  const again = await deadLetters.list();
  t.equal(again.length, 2);
  t.notOk(
    again.some(({ id }) => id === before?.id),
    'under another name: the retry may still be about to remove the old one',
  );
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

t.test('two letters from one job, or from two jobs of one name, never share a name', async (t) => {
  const [one, two] = [jobOf([checkLog()]), jobOf([checkLog()])];
  t.equal(deadLetterId('bat_1', one), deadLetterId('bat_1', structuredClone(one)), 'delivered again');
  t.not(deadLetterId('bat_1', one), deadLetterId('bat_1', two));
  t.not(deadLetterId('bat_1', one), deadLetterId('retry-1', one));
});

t.test('a job that this worker cannot read is set aside whole, with a clear word, not dropped', async (t) => {
  const worker = await setting.startWorker();
  const [old, unfit] = [checkLog(), checkLog({ verdict: { ...verdictOf(), risk_score: 300 } })];
  // As release 0.1.0 queued them.
  await setting.queue({ v: 2, verdicts: [{ decision: 'allow' }], checks: [{ id: old.id, verdict: 0 }] });
  await setting.queue(jobOf([unfit]));
  await setting.queue('not even an object');
  await drained();
  const letters = await deadLetters.list();
  t.equal(letters.length, 3);
  t.match(
    letters.find(({ logIds }) => logIds[0] === old.id),
    {
      reason: /version 2 .* drain the queue with the release that wrote it/,
      payload: { v: 2, checks: [{}] },
    },
  );
  t.match(
    letters.find(({ logIds }) => logIds[0] === unfit.id),
    { reason: /risk_score/, payload: jobOf([unfit]) },
  );
  for (const { id } of letters) await deadLetters.remove(id);
  await worker.stop();
});

t.test('a job without a note counts nothing, and its batch can never count again', async (t) => {
  const account = createId('acc');
  const { note: _, ...job } = jobOf([checkLog({ account_id: account })]);
  const worker = await setting.startWorker();
  const batchId = await setting.queue(job);
  await drained();
  t.strictSame(await setting.counts(account), { rows: 0, counted: 0, adjusted: 0 });
  t.match(await redis.get(noteKey(0, batchId)), /"undone":"void"/);
  const lives = await redis.ttl(noteKey(0, batchId));
  t.ok(lives > 60 && lives <= 120, 'for as long as it might be sent again');
  await worker.stop();
});

t.test('Redis is as empty after a job as before it', async (t) => {
  const worker = await setting.startWorker();
  const { note, ...job } = jobOf([checkLog()]);
  const batchId = createId('bat');
  await redis.set(noteKey(0, batchId), JSON.stringify(note));
  await setting.queue(job, undefined, batchId);
  await drained();
  const left = (await redis.keys('verdict:queue:{0}:check-logs:*')).filter((key) => /:bat_/.test(key));
  t.strictSame(left, [], 'no job is left behind');
  t.ok((await redis.ttl(noteKey(0, batchId))) > 0, 'its note answers who asks again, and goes');
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
      verdict: verdictOf('block', 'The address jane@example.com is on your block list'),
    });
    const alias = checkLog({ email: 'B.o.b+1@googlemail.com' });
    await setting.queueChecks([log, alias]);
    await drained();
    await worker.stop();
    const stored = (id: string) => db.$queryRaw<Record<string, unknown>[]>`
      SELECT email, ip, domain, email_hash, mailbox_hash, reasons FROM check_subjects WHERE id = ${id}`;
    const [row] = await stored(log.id);
    const [other] = await stored(alias.id);
    t.equal(row?.mailbox_hash, null, 'the address is its mailbox');
    t.equal(other?.mailbox_hash, hashEmail(setting.config.EMAIL_HASH_SECRET, 'bob@gmail.com'), storage);
    t.match(row, { ...expected, domain: 'example.com' }, storage);
    t.equal(row?.email_hash, hashEmail(setting.config.EMAIL_HASH_SECRET, 'jane@example.com'));
    t.equal(JSON.stringify(row?.reasons).includes('jane@example.com'), storage === 'full', storage);
  }
});

t.test(
  'an international address is stored under the one name of its domain and of its mailbox',
  async (t) => {
    const worker = await setting.startWorker({ EMAIL_STORAGE: 'hashed' });
    const reason = 'The address jürgen@xn--bcher-kva.example is on your block list';
    const log = checkLog({ email: 'Jürgen@Bücher.example', verdict: verdictOf('block', reason) });
    await setting.queueChecks([log]);
    await drained();
    await worker.stop();
    const [row] = await db.$queryRaw<Record<string, unknown>[]>`
    SELECT email, domain, email_hash, reasons FROM check_subjects WHERE id = ${log.id}`;
    t.match(row, { email: null, domain: 'xn--bcher-kva.example' });
    t.equal(row?.email_hash, hashEmail(setting.config.EMAIL_HASH_SECRET, 'jürgen@xn--bcher-kva.example'));
    t.notMatch(JSON.stringify(row?.reasons), /jürgen/, 'whatever spelling a reason quotes');
  },
);

t.test('every worker says the same about the bill, whichever had the turn', async (t) => {
  const registries = [new Registry(), new Registry()];
  for (const registry of registries) {
    createBillingGauges(registry, { db, redis, graceMs: 0, diskBytes: 2e9 });
  }
  const said = () => Promise.all(registries.map((registry) => registry.metrics()));
  const beganAtMs = await databaseNow(db);
  await noteReconciliation(db, '2026-10', beganAtMs, [{ repaired: false }, { repaired: true }]);
  for (const text of await said()) {
    t.match(text, /^verdict_reconcile_differences 1$/m, 'what is repaired is no difference');
    t.match(text, /^verdict_billing_months_overdue \d+$/m);
    t.match(text, /^verdict_backup_age_seconds 0$/m, 'none was taken');
    t.match(text, /^verdict_postgres_bytes [1-9]\d+$/m);
    t.match(text, /^verdict_postgres_disk_bytes 2000000000$/m);
  }
  await noteBackup(db, 7);
  await db.$executeRaw`UPDATE observations SET observed_at = observed_at - interval '2 days' WHERE name = 'backup'`;
  for (const text of await said()) t.match(text, /^verdict_backup_age_seconds 1728\d\d/m);
  await noteReconciliation(db, '2026-10', beganAtMs - 1, []);
  for (const text of await said())
    t.match(text, /^verdict_reconcile_differences 1$/m, 'an older run ends late');
  await noteReconciliation(db, '2026-10', await databaseNow(db), []);
  for (const text of await said()) t.match(text, /^verdict_reconcile_differences 0$/m, 'and none is left');
});
