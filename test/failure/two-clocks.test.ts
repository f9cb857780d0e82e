import { ensurePartitions } from '@verdict/db/checks/partitions.js';
import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import { parsePlans } from '@verdict/domain/plans.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { agreedNow } from '@verdict/metering/agreed-now.js';
import { closeMonth } from '@verdict/metering/close-month.js';
import { closeMonths } from '@verdict/metering/close-months.js';
import t from 'tap';
import { buildPreload } from './support/build-preload.js';
import { createDatabaseClock } from './support/database-clock.js';
import { openMetering } from './support/open-metering.js';
import { createClock } from './support/settable-clock.js';

const library = buildPreload('set-clock');
const PLANS = parsePlans({ free: { checks_per_month: 1, checks_per_second: 1, retention_days: 1 } });
const HOUR_MS = 3_600_000;
const month = monthOf(new Date());
const endMs = monthBounds(month).end.getTime();
const close = { plans: PLANS, graceMs: 0, month };

t.test(
  'what cannot be undone',
  library ? {} : { skip: 'no C compiler here: the clock of a process cannot be set' },
  async (t) => {
    const redisClock = createClock(library ?? '');
    const server = await startRedis({ environment: redisClock.environment });
    t.teardown(() => server.stop());
    const database = await createDatabase();
    t.teardown(() => database.drop());
    const databaseClock = await createDatabaseClock(database.url);
    const metering = openMetering(server.url, database.url);
    t.teardown(() => metering.close());
    await ensurePartitions(metering.db, [month, addMonths(month, 1)]);
    const isOpen = async () =>
      (
        await metering.db.$queryRaw<unknown[]>`
          SELECT FROM billing_periods WHERE month = (${month} || '-01')::date AND status = 'open'`
      ).length === 1;

    await t.test('a Redis whose clock jumped ahead closes no month and forgets no address', async (t) => {
      redisClock.setTo(endMs + HOUR_MS);
      await t.rejects(
        closeMonths(metering, close),
        /clock of Redis is \d+ seconds ahead of that of Postgres/,
      );
      await t.rejects(closeMonths(metering, { ...close, force: true }), /nothing is closed/);
      await t.rejects(agreedNow(metering), 'nor does retention get a moment to count from');
      t.ok(await isOpen());
    });

    await t.test('nor does a Postgres whose clock jumped ahead', async (t) => {
      redisClock.setTo(Date.now());
      await databaseClock.setTo(endMs + HOUR_MS);
      await t.rejects(closeMonths(metering, close), /behind that of Postgres/);
      t.ok(await isOpen());
      await databaseClock.setTo(Date.now());
    });

    await t.test('Postgres itself refuses a month that has not ended, whoever asks', async (t) => {
      await t.rejects(closeMonth(metering.db, month, close.plans), /has not ended by the clock of Postgres/);
      t.ok(await isOpen());
    });

    await t.test('clocks that differ by seconds are trusted where both have passed the end', async (t) => {
      redisClock.setTo(endMs + 5_000);
      await databaseClock.setTo(endMs - 20_000);
      t.strictSame(await closeMonths(metering, close), [], 'not before the later one has');
      await databaseClock.setTo(endMs + 20_000);
      t.match(await closeMonths(metering, close), [{ month, outcome: 'closed' }]);
      t.notOk(await isOpen());
    });
  },
);
