import { eventually } from '@verdict/local-stack/eventually.js';
import { noteKey } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { checkLog, createId, jobOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, redis } = setting;

t.test('a note has no end until its rows are stored, and then one of two minutes, once', async (t) => {
  const account = createId('acc');
  const { note, ...job } = jobOf([checkLog({ account_id: account })]);
  const batchId = createId('bat');
  const key = noteKey(0, batchId);
  await redis.set(key, JSON.stringify(note));
  // Refuses as a full disk does, and notes that it was tried.
  await db.$executeRaw`CREATE SEQUENCE tries`;
  await db.$executeRaw`CREATE FUNCTION refuse_disk_full() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN PERFORM nextval('tries'); RAISE EXCEPTION 'disk full' USING ERRCODE = 'disk_full'; END $$`;
  await db.$executeRaw`CREATE TRIGGER full_disk BEFORE INSERT ON check_logs
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_disk_full()`;
  const worker = await setting.startWorker();
  await setting.queue(job, undefined, batchId);
  await eventually(async () => {
    const [tried] = await db.$queryRaw<{ is_called: boolean }[]>`SELECT is_called FROM tries`;
    return tried?.is_called;
  });
  t.equal(await redis.ttl(key), -1, 'while Postgres does not have the rows');
  await db.$executeRaw`DROP TRIGGER full_disk ON check_logs`;
  await eventually(async () => (await setting.counts(account)).rows === 1);
  const seconds = await eventually(async () => {
    const left = await redis.ttl(key);
    return left > 0 && left;
  });
  t.ok(seconds > 60 && seconds <= 120, `${seconds} s`);
  await redis.expire(key, 30);
  await setting.queue(job, undefined, batchId);
  await eventually(async () => (await redis.exists(`verdict:queue:{0}:check-logs:${batchId}`)) === 0);
  await worker.stop();
  t.ok((await redis.ttl(key)) <= 30, 'who asks again does not renew it');
});
