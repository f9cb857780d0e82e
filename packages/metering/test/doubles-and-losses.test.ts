import { monthUsage } from '@verdict/db/billing/usage-differences.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import { accountKey, usedField } from '@verdict/redis-store/keys.js';
import type { Redis } from 'ioredis';
import t from 'tap';
import { reconcile } from '../src/reconcile.js';
import { type CheckLog, checkLog, createId, jobOf, rowsOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, redis, deadLetters } = setting;
const persist = (logs: readonly CheckLog[]) => persistChecks(db, rowsOf(logs));
const month = monthOf(new Date());
const account = async (): Promise<string> => {
  const id = createId('acc');
  await db.account.create({ data: { id, name: id, plan: 'free' } });
  return id;
};
const corrections = (accountId: string) =>
  db.$queryRaw<unknown[]>`
    SELECT counter_from::int AS "from", counter_to::int AS "to", made_by AS by FROM counter_corrections
    WHERE account_id = ${accountId} ORDER BY id`;

/** Redis in which something happens right after the first look at an account's counter and the queue. */
const afterFirstLook = (key: string, happen: () => Promise<void>) => {
  let isFirst = true;
  return new Proxy(redis as Redis, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'evalsha') return typeof value === 'function' ? value.bind(target) : value;
      return async (...args: Parameters<Redis['evalsha']>) => {
        const reply = await target.evalsha(...args);
        if (isFirst && Number(args[1]) > 1 && args.includes(key)) {
          isFirst = false;
          await happen();
        }
        return reply;
      };
    },
  });
};

t.test('an id that has a row gets no second one, whatever moment it comes with', async (t) => {
  const id = await account();
  const before = addMonths(month, -1);
  const first = checkLog({ account_id: id, created_at: `${month}-01T00:00:01.000001+00:00` });
  t.equal(await persist([first]), 1);
  t.equal(await persist([{ ...first, created_at: `${month}-01T00:10:01.000001+00:00` }]), 0, 'later');
  t.equal(
    await persist([{ ...first, created_at: `${before}-28T23:59:59.999999+00:00` }]),
    0,
    'a month before',
  );
  t.equal(
    await persist([{ ...first, created_at: `${addMonths(month, 1)}-01T00:00:00.000001+00:00` }]),
    0,
    'a month after',
  );
  t.strictSame(await setting.counts(id), { rows: 1, counted: 1, adjusted: 0 });
});

t.test('an id gets one row although two workers store it at the same time with two moments', async (t) => {
  const id = await account();
  const ids = Array.from({ length: 300 }, () => checkLog({ account_id: id }).id);
  // A month that persisting makes, not one that the migration found.
  const at = (minute: string) => `${addMonths(month, 7)}-01T00:${minute}:00.000001+00:00`;
  const stored = await Promise.all(
    ids.flatMap((log) =>
      ['10', '20'].map((minute) =>
        persist([{ ...checkLog({ account_id: id }), id: log, created_at: at(minute) }]),
      ),
    ),
  );
  t.equal(
    stored.reduce((sum, rows) => sum + rows, 0),
    300,
  );
  t.strictSame(await setting.counts(id), { rows: 300, counted: 300, adjusted: 0 });
});

t.test('a double that is there all the same is named', async (t) => {
  const id = await account();
  // As in a month that had doubles before the index was made.
  await db.$executeRawUnsafe(`DROP INDEX check_logs_${month.replace('-', '_')}_one_row_per_id`);
  const log = checkLog({ account_id: id, created_at: `${month}-02T00:00:01.000001+00:00` });
  await persist([log]);
  await db.$executeRaw`
    INSERT INTO check_logs SELECT id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id,
      created_at + interval '10 minutes', verdict_score FROM check_logs WHERE id = ${log.id}`;
  t.match(await reconcile(setting, month), [
    { accountId: id, kind: 'double', expected: 1, found: 2, repaired: false },
    { accountId: id, kind: 'rollup', expected: 2, found: 1 },
  ]);
  await db.$executeRaw`DELETE FROM check_logs WHERE id = ${log.id}`;
  await db.$executeRaw`DELETE FROM usage_hourly WHERE account_id = ${id}`;
});

t.test('a counter is raised by itself and lowered by a person only, with a row each time', async (t) => {
  const id = await account();
  const [key, field] = [accountKey(id, 1), usedField(month)];
  await persist([checkLog({ account_id: id }), checkLog({ account_id: id })]);
  await redis.hset(key, 'v', '1', field, '1');
  t.match(await reconcile(setting, month, 'counters'), [{ kind: 'counter', expected: 2, repaired: true }]);
  t.equal(await redis.hget(key, field), '2');

  await redis.hset(key, field, '7');
  const lost = { accountId: id, kind: 'loss', expected: 2, found: 7 };
  t.match(await reconcile(setting, month, 'counters'), [{ ...lost, repaired: false }]);
  t.equal(await redis.hget(key, field), '7', 'the trace of five checks');
  t.match(await reconcile(setting, month, 'everything'), [{ ...lost, repaired: true }]);
  t.equal(await redis.hget(key, field), '2');
  t.strictSame(await corrections(id), [
    { from: 1, to: 2, by: 'worker' },
    { from: 7, to: 2, by: 'operator' },
  ]);
  await redis.del(key);
});

t.test('a dead letter that is queued again between two looks is not taken for a loss', async (t) => {
  const id = await account();
  const [key, field] = [accountKey(id, 1), usedField(month)];
  await persist([checkLog({ account_id: id })]);
  const dead = checkLog({ account_id: id });
  const letter = {
    reason: 'test',
    logIds: [dead.id],
    queuedAtMs: Date.now(),
    shard: 0,
    payload: jobOf([dead]),
  };
  await deadLetters.add({ id: 'letter', ...letter });
  await redis.hset(key, 'v', '1', field, '2');
  let retried = false;
  const racing = afterFirstLook(key, async () => {
    retried = await deadLetters.retry('letter');
  });
  t.strictSame(await reconcile({ ...setting, redis: racing }, month), []);
  t.ok(retried);
  t.equal((await monthUsage(db, month, [id])).get(id), 1);
});

t.test('a check that is counted and stored between two looks is no drift', async (t) => {
  const id = await account();
  const [key, field] = [accountKey(id, 1), usedField(month)];
  await persist([checkLog({ account_id: id })]);
  await redis.hset(key, 'v', '1', field, '3');
  const found = await reconcile(
    {
      ...setting,
      redis: afterFirstLook(key, async () => {
        await redis.hincrby(key, field, 1);
        await persist([
          checkLog({ account_id: id }),
          checkLog({ account_id: id }),
          checkLog({ account_id: id }),
        ]);
      }),
    },
    month,
    'everything',
  );
  t.strictSame(found, []);
  t.equal(await redis.hget(key, field), '4');
  await redis.del(key);
});
