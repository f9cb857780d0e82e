import { eventually } from '@verdict/local-stack/eventually.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import t from 'tap';
import { checkLog, createId } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, redis, deadLetters } = setting;
const name = decodeURIComponent(new URL(setting.databaseUrl).pathname.slice(1));

/** A setting of a database applies to new connections: the worker's are ended, and it makes new ones. */
async function setForWorkers(sql: string): Promise<void> {
  await db.$executeRawUnsafe(sql);
  await db.$queryRaw`SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
    WHERE datname = ${name} AND application_name = 'verdict-worker'`;
}

const states = {
  'is read-only': {
    begin: () => setForWorkers(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`),
    end: () => setForWorkers(`ALTER DATABASE "${name}" RESET default_transaction_read_only`),
  },
  // Its disk cannot be filled here without filling the machine's; the error of a full one can be raised.
  'has a full disk': {
    async begin() {
      await db.$executeRaw`CREATE FUNCTION refuse_disk_full() RETURNS TRIGGER LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`;
      await db.$executeRaw`CREATE TRIGGER full_disk BEFORE INSERT ON check_logs
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_disk_full()`;
    },
    async end() {
      await db.$executeRaw`DROP TRIGGER full_disk ON check_logs`;
    },
  },
};

for (const [state, { begin, end }] of Object.entries(states)) {
  t.test(`a Postgres that ${state} is awaited; no job is blamed and none is lost`, async (t) => {
    const account = createId('acc');
    await begin();
    const worker = await setting.startWorker();
    const checks = Array.from({ length: 40 }, () => checkLog({ account_id: account }));
    for (let i = 0; i < 40; i += 10) await setting.queueChecks(checks.slice(i, i + 10));
    await eventually(async () => (await readBacklog(redis, 1)).active > 0);
    t.strictSame(await setting.counts(account), { rows: 0, counted: 0, adjusted: 0 });
    await end();
    await eventually(async () => (await readBacklog(redis, 1)).oldestMs === null, { withinMs: 120_000 });
    t.strictSame(await setting.counts(account), { rows: 40, counted: 40, adjusted: 0 });
    t.equal((await readBacklog(redis, 1)).failed + (await deadLetters.count()), 0);
    await worker.stop();
  });
}
