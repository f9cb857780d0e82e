import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { monthBounds, monthOf } from '@verdict/domain/month.js';
import { accountKey, usedField } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { reconcile } from '../src/reconcile.js';
import { reconcileNew } from '../src/reconcile-new.js';
import { type CheckLog, checkLog, createId, jobOf, rowsOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, redis, deadLetters } = setting;
const month = monthOf(new Date());
const HOUR_MS = 3_600_000;

/** A finished file whose results name these checks. */
async function fileOf(accountId: string, checks: readonly CheckLog[]): Promise<void> {
  const id = createId('job');
  const now = new Date();
  const counts = { addresses: checks.length, done: checks.length, rows: checks.length };
  const times = { startedAt: now, finishedAt: now, expiresAt: new Date(now.getTime() + 24 * HOUR_MS) };
  await db.bulkJob.create({
    data: { id, accountId, keyId: 'key_1', status: 'completed', format: 'csv', ...counts, ...times },
  });
  await db.bulkAddress.createMany({
    data: checks.map(({ id: logId, email, created_at }, number) => ({
      ...{ jobId: id, number, email, logId, decision: 'allow', riskScore: 5 },
      checkedAt: new Date(created_at),
    })),
  });
}

t.test('a result whose check is in no log, queue or dead letter is named and not made up', async (t) => {
  const account_id = createId('acc');
  await db.account.create({ data: { id: account_id, name: account_id, plan: 'free' } });
  const [stored, queued, dead, lost, lostToo] = Array.from({ length: 5 }, (_, i) =>
    checkLog({ account_id, created_at: formatCreatedAt(Date.now() * 1_000 + i) }),
  ) as [CheckLog, CheckLog, CheckLog, CheckLog, CheckLog];
  await persistChecks(db, rowsOf([stored]));
  await setting.queue(jobOf([queued]));
  await deadLetters.add({
    ...{ id: 'letter', reason: 'test', logIds: [dead.id], queuedAtMs: Date.now(), shard: 0 },
    payload: jobOf([dead]),
  });
  await fileOf(account_id, [stored, queued, dead, lost, lostToo]);
  await redis.hset(accountKey(account_id, 1), 'v', '1', usedField(month), '3');

  const named = { month, accountId: account_id, kind: 'result', expected: 2, found: 0, repaired: false };
  t.strictSame(await reconcile(setting, month), [named]);
  t.strictSame(await reconcile(setting, month, 'everything'), [named]);
  t.strictSame(await setting.counts(account_id), { rows: 1, counted: 1, adjusted: 0 });

  const later = (hours: number) =>
    new Date(Math.min(Date.now() + hours * HOUR_MS, monthBounds(month).end.getTime()));
  t.strictSame(await reconcileNew(setting, month, later(1)), [named], 'named the day it happened');
  t.strictSame(await reconcileNew(setting, month, later(2)), [], 'and not every day after');

  await persistChecks(db, rowsOf([lost, lostToo]));
  await redis.hset(accountKey(account_id, 1), usedField(month), '5');
  t.strictSame(await reconcile(setting, month), [], 'a late log is found');
});
