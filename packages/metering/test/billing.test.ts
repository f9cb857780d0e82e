import { toIdempotency } from '@verdict/admission/replay-record.js';
import { monthUsage } from '@verdict/db/billing/usage-differences.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { accountKey, noteKey, recordKey, usedField } from '@verdict/redis-store/keys.js';
import { readPlans } from '@verdict/service-kit/plans-file.js';
import t from 'tap';
import { closeMonth } from '../src/close-month.js';
import { closeMonths } from '../src/close-months.js';
import { enforceRetention } from '../src/enforce-retention.js';
import { eraseAddress } from '../src/erase-address.js';
import { reconcile } from '../src/reconcile.js';
import {
  type CheckLog,
  checkLog,
  createId,
  HASH_SECRET,
  jobOf,
  rowsOf,
  verdictOf,
} from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, redis, deadLetters } = setting;
const plans = readPlans(inRoot('config/plans.json'));
const persist = (logs: readonly CheckLog[]) => persistChecks(db, rowsOf(logs));
const running = monthOf(new Date());
/** Ended both: only a month that has ended can be closed. */
const last = addMonths(running, -2);
const next = addMonths(running, -1);
const inMonth = (month: string) => `${month}-10T10:00:00.000001+00:00`;
const closeOptions = { plans, graceMs: 0 };
const HOUR_MS = 3_600_000;

const account = async (plan = 'free'): Promise<string> => {
  const id = createId('acc');
  await db.account.create({ data: { id, name: id, plan, createdAt: new Date('2026-01-01T00:00:00Z') } });
  return id;
};
const statementOf = async (month: string, accountId: string) =>
  (
    await db.$queryRaw<Record<string, unknown>[]>`
    SELECT plan, entitled::int, used::int, adjusted::int, over::int, by_decision, by_tag, checksum FROM statements
    WHERE month = (${month} || '-01')::date AND account_id = ${accountId}`
  )[0];

t.test('a month is closed only when its grace is over and nothing of it is on its way', async (t) => {
  const id = await account();
  const logs = Array.from({ length: 3 }, () => checkLog({ account_id: id, created_at: inMonth(last) }));
  await persist([
    ...logs,
    checkLog({ account_id: id, created_at: inMonth(last), verdict: verdictOf('block') }),
  ]);

  const year = 366 * 24 * HOUR_MS;
  t.strictSame(await closeMonths(setting, { plans, graceMs: year }), [], 'not before its grace is over');

  await setting.queue(jobOf([]), Date.parse(inMonth(last)));
  t.match(await closeMonths(setting, closeOptions), [{ month: last, outcome: 'refused', reason: /queue/ }]);
  await redis.del('verdict:queue:{0}:check-logs:wait');

  const racing = await Promise.all([closeMonths(setting, closeOptions), closeMonths(setting, closeOptions)]);
  const written = racing
    .flat()
    .flatMap((one) => (one.outcome === 'closed' && one.month === last ? [one.statements] : []));
  t.equal(written.filter((count) => count > 0).length, 1, 'two workers write the statements once');
  t.match(await statementOf(last, id), {
    plan: 'free',
    entitled: 1000,
    used: 4,
    adjusted: 0,
    over: 0,
    by_decision: { allow: 3, block: 1 },
    checksum: /^[0-9a-f]{64}$/,
  });
  t.equal(await closeMonth(db, last, plans), 0, 'closing again changes nothing');
});

t.test(
  'a late check changes nothing in a closed month and is billed as an adjustment of the next',
  async (t) => {
    const id = await account();
    const before = addMonths(last, -1);
    await persist([checkLog({ account_id: id, created_at: inMonth(last) })]);
    t.strictSame(
      await setting.counts(id),
      { rows: 1, counted: 0, adjusted: 1 },
      'it arrived after the close',
    );
    const [frozen] = await db.$queryRaw<{ checks: number }[]>`
    SELECT coalesce(sum(used), 0)::int AS checks FROM statements WHERE month = (${last} || '-01')::date`;
    await persist([checkLog({ account_id: id, created_at: inMonth(next) })]);
    t.equal((await monthUsage(db, last)).get(id), 1, 'every check is in some month');

    const closings = await closeMonths(setting, {
      ...closeOptions,
      force: true,
      month: next,
    });
    t.match(closings, [{ month: next, outcome: 'closed' }]);
    t.match(await statementOf(next, id), { used: 1, adjusted: 1 });
    const [after] = await db.$queryRaw<{ checks: number }[]>`
    SELECT coalesce(sum(used), 0)::int AS checks FROM statements WHERE month = (${last} || '-01')::date`;
    t.strictSame(after, frozen);
    t.notOk(
      (await db.$queryRaw<unknown[]>`SELECT FROM statements WHERE month = (${before} || '-01')::date`).length,
    );
    t.strictSame(await reconcile(setting, last), []);
    t.strictSame(await reconcile(setting, next), []);
  },
);

t.test('a statement splits its checks by tag, under its checksum', async (t) => {
  const id = await account();
  const month = addMonths(last, -1);
  await db.$executeRaw`SELECT ensure_check_partitions((${month} || '-01')::date)`;
  const tags = ['sign-up', 'sign-up', '10', null];
  const rows = rowsOf(tags.map(() => checkLog({ account_id: id, created_at: inMonth(month) })));
  await persistChecks(
    db,
    rows.map((row, i) => ({ ...row, tag: tags[i] ?? null })),
  );
  t.ok((await closeMonth(db, month, plans)) > 0);
  t.match(await statementOf(month, id), { used: 4, by_tag: { 'sign-up': 2, 10: 1 } });
  const [genuine] = await db.$queryRaw<object[]>`
    SELECT is_genuine(s) AS stated, is_genuine(jsonb_populate_record(s, '{"by_tag": {"sign-up": 4}}')) AS forged,
      is_genuine(jsonb_populate_record(s, jsonb_build_object('by_tag', NULL, 'text', b.text,
        'checksum', encode(sha256(convert_to(b.text, 'UTF8')), 'hex')))) AS earlier
    FROM statements s, LATERAL (SELECT (s.text::jsonb - 'by_tag')::text AS text) b
    WHERE s.account_id = ${id}`;
  t.strictSame(genuine, { stated: true, forged: false, earlier: true });
});

t.test('a statement cannot be changed, deleted or emptied, and a forged one is found', async (t) => {
  await t.rejects(db.$executeRaw`UPDATE statements SET used = 0`, /immutable/);
  await t.rejects(db.$executeRaw`DELETE FROM statements`, /immutable/);
  await t.rejects(db.$executeRaw`TRUNCATE statements`, /immutable/);
  const id = await account();
  await db.$executeRaw`INSERT INTO statements
    SELECT month, ${id}, plan, entitled, 0, adjusted, over, by_decision, by_key, closed_at, checksum, form, plans, currency,
      lines, subtotal, tax_rate, tax, total, text
    FROM statements WHERE month = (${last} || '-01')::date LIMIT 1`;
  t.match(await reconcile(setting, last), [{ accountId: id, kind: 'checksum' }]);
  await db.$executeRaw`ALTER TABLE statements DISABLE TRIGGER statements_immutable`;
  await db.$executeRaw`DELETE FROM statements WHERE account_id = ${id}`;
  await db.$executeRaw`ALTER TABLE statements ENABLE TRIGGER statements_immutable`;
});

t.test('the billing reader reads the billing views and nothing else', async (t) => {
  const asReader = (sql: string) =>
    db.$transaction([db.$executeRawUnsafe('SET LOCAL ROLE billing_reader'), db.$queryRawUnsafe(sql)]);
  for (const view of ['usage_hourly', 'usage_daily', 'usage_monthly', 'statements', 'adjustments']) {
    await t.resolves(asReader(`SELECT count(*)::int FROM billing.${view}`), view);
  }
  for (const table of ['check_subjects', 'check_logs', 'accounts', 'api_keys', 'usage_hourly']) {
    await t.rejects(asReader(`SELECT * FROM public.${table} LIMIT 1`), /permission denied/, table);
  }
  const columns = await db.$queryRaw<{ name: string }[]>`
    SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'billing' AND column_name ~ 'email|ip$'`;
  t.strictSame(columns, [], 'no view shows an address');
});

t.test('a drift of one in a rollup is found, named and repaired from the logs', async (t) => {
  const month = addMonths(running, 1);
  const id = await account();
  await persist(Array.from({ length: 50 }, () => checkLog({ account_id: id, created_at: inMonth(month) })));
  t.strictSame(await reconcile(setting, month), []);
  await db.$executeRaw`UPDATE usage_hourly SET checks = checks + 1 WHERE account_id = ${id}`;
  t.match(await reconcile(setting, month), [
    { accountId: id, month, kind: 'rollup', expected: 50, found: 51 },
  ]);
  t.match(await reconcile(setting, month, 'everything'), [{ kind: 'rollup', repaired: true }]);
  t.strictSame(await reconcile(setting, month), []);
  t.strictSame(await setting.counts(id), { rows: 50, counted: 50, adjusted: 0 });

  // Two errors that cancel out in the sum are still two errors.
  await db.$executeRaw`UPDATE usage_hourly SET decision = 'block' WHERE account_id = ${id}`;
  t.match(await reconcile(setting, month), [{ kind: 'rollup', expected: 50, found: 50 }]);
  await reconcile(setting, month, 'everything');
  t.strictSame(await reconcile(setting, month), []);
});

t.test('a drift of one in the checks of a tag is found and named, while its month is open', async (t) => {
  const month = addMonths(running, 2);
  const id = await account();
  const rows = rowsOf(
    ['a', 'b', 'b', null].map(() => checkLog({ account_id: id, created_at: inMonth(month) })),
  );
  await persistChecks(
    db,
    rows.map((row, i) => ({ ...row, tag: ['a', 'b', 'b', null][i] ?? null })),
  );
  t.strictSame(await reconcile(setting, month), []);
  await db.$executeRaw`UPDATE usage_tags SET checks = checks + 1 WHERE account_id = ${id} AND tag = 'a'`;
  t.match(await reconcile(setting, month, 'everything'), [
    { accountId: id, month, kind: 'tag', expected: 3, found: 4, repaired: false },
  ]);
  await db.$executeRaw`UPDATE usage_tags SET checks = checks - 1 WHERE account_id = ${id} AND tag = 'a'`;
  t.strictSame(await reconcile(setting, month), []);
});

t.test('a drift in a closed month is corrected by an adjustment, not in the month', async (t) => {
  const id = await account();
  await persist([checkLog({ account_id: id, created_at: inMonth(last) })]);
  await db.$executeRaw`DELETE FROM usage_adjustments WHERE account_id = ${id}`;
  t.match(await reconcile(setting, last), [{ accountId: id, kind: 'rollup', expected: 1, found: 0 }]);
  await reconcile(setting, last, 'everything');
  t.strictSame(await reconcile(setting, last), []);
  t.strictSame(await setting.counts(id), { rows: 1, counted: 0, adjusted: 1 });
});

t.test('a Redis counter that drifted is found and repaired; what is queued is no difference', async (t) => {
  const month = addMonths(running, 1);
  const id = await account();
  const key = accountKey(id, 1);
  const field = usedField(month);
  const at = (seconds: number) => `${month}-10T10:00:0${seconds}.000001+00:00`;
  await persist(Array.from({ length: 5 }, () => checkLog({ account_id: id, created_at: at(0) })));
  await redis.hset(key, 'v', '1', field, '9');

  // Two that wait, one that was persisted but whose job is not completed yet, and one that was set aside.
  const two = [1, 2].map(() => checkLog({ account_id: id, created_at: at(1) }));
  const { note, ...job } = jobOf(two);
  const batchId = await setting.queue(job);
  await redis.set(noteKey(0, batchId), JSON.stringify(note));
  const persisted = checkLog({ account_id: id, created_at: at(2) });
  await persist([persisted]);
  await setting.queue(jobOf([persisted]));
  const dead = checkLog({ account_id: id, created_at: at(3) });
  const letter = {
    reason: 'test',
    logIds: [dead.id],
    queuedAtMs: Date.now(),
    shard: 0,
    payload: jobOf([dead]),
  };
  await deadLetters.add({ id: 'letter', ...letter });
  t.strictSame(await reconcile(setting, month), [], 'six rows, two that wait and one set aside are nine');

  await redis.hset(key, field, '12');
  t.match(await reconcile(setting, month), [{ accountId: id, kind: 'loss', expected: 9, found: 12 }]);
  t.match(await reconcile(setting, month, 'everything'), [{ kind: 'loss', repaired: true }]);
  t.equal(await redis.hget(key, field), '9');
  t.strictSame(await reconcile(setting, month), []);
  await deadLetters.remove('letter');
  await redis.del(key, 'verdict:queue:{0}:check-logs:wait');
});

t.test('an address is erased everywhere, with a receipt, and no count changes', async (t) => {
  const id = await account();
  const canary = `Canary.${createId('usr')}@example.org`;
  const month = addMonths(running, 1);
  await persist(
    ['Other@example.org', canary, canary.toLowerCase()].map((email) =>
      checkLog({ account_id: id, email, created_at: inMonth(month) }),
    ),
  );
  await deadLetters.add({
    id: 'letter',
    reason: 'test',
    logIds: [],
    queuedAtMs: Date.now(),
    shard: 0,
    payload: jobOf([checkLog({ email: canary, verdict: verdictOf('block', `${canary} is listed`) })]),
  });
  const record = recordKey(id, 'name', 1);
  const replayed = { id: createId('log'), canonical: canary.toLowerCase(), verdict: verdictOf() };
  const { rest } = toIdempotency('name', 'b'.repeat(22), { checks: [replayed] });
  await redis.set(record, `${'b'.repeat(22)}1794736800000000\n${rest}`);
  const before = await setting.counts(id);

  const receipt = await eraseAddress(setting, {
    id: createId('era'),
    email: ` ${canary.toUpperCase()} `,
    hashSecret: HASH_SECRET,
    drainMs: 60_000,
  });
  t.match(receipt, { checks: 2, deadLetters: 1, answers: 1 });
  t.strictSame(await setting.counts(id), before);
  const left = await db.$queryRaw<
    unknown[]
  >`SELECT FROM check_subjects WHERE lower(email) = ${canary.toLowerCase()}`;
  t.equal(left.length, 0);
  t.notMatch(JSON.stringify(await deadLetters.list()).toLowerCase(), canary.toLowerCase());
  t.equal((await deadLetters.list()).length, 1, 'the record itself is still there to be billed');
  t.not(await redis.get(record), null);
  t.ok(await db.erasure.findUnique({ where: { id: receipt.id } }));
  for (const letter of await deadLetters.list()) await deadLetters.remove(letter.id);
});

t.test('addresses go when the plan no longer keeps them; rows and counts stay', async (t) => {
  const [short, long] = [await account('free'), await account('scale')];
  const now = Date.parse('2027-06-20T00:00:00Z');
  const ages = { '2027-06-10': 'young', '2027-04-25': 'between', '2027-01-05': 'old' };
  for (const day of Object.keys(ages)) {
    for (const id of [short, long]) {
      await persist([checkLog({ account_id: id, created_at: `${day}T10:00:00.000000+00:00` })]);
    }
  }
  const days = async (id: string) =>
    (
      await db.$queryRaw<{ day: string }[]>`
      SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM check_subjects
      WHERE account_id = ${id} ORDER BY 1`
    ).map(({ day }) => day);
  const retained = await enforceRetention(setting, plans, now, 90);
  t.ok(retained.droppedMonths.includes('2027-01'), 'a month that nobody keeps goes as a whole');
  t.strictSame(await days(short), ['2027-06-10'], 'thirty days');
  t.strictSame(await days(long), ['2027-04-25', '2027-06-10'], 'ninety days');
  t.match(await enforceRetention(setting, plans, now, 90), { droppedMonths: [], deletedChecks: 0 });
  t.strictSame(await setting.counts(short), { rows: 3, counted: 3, adjusted: 0 });
  t.strictSame(await reconcile(setting, '2027-01'), []);
  await persist([checkLog({ account_id: short, created_at: '2027-01-05T10:00:00.000000+00:00' })]);
  t.equal((await setting.counts(short)).rows, 4, 'a straggler of a dropped month still finds a home');
});
