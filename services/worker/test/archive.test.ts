import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { closeMonth } from '@verdict/metering/close-month.js';
import t from 'tap';
import { checkLog, createId } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, config } = setting;
const folder = mkdtempSync(join(tmpdir(), 'verdict-facts-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const id = createId('acc');
const month = addMonths(monthOf(new Date()), -5);
await db.account.create({
  data: { id, name: id, plan: 'free', createdAt: monthBounds(month).start },
});

t.test(
  'workers without a folder keep the checks, and those with one archive them with their own rights',
  async (t) => {
    const first = await setting.startWorker();
    await setting.queueChecks(
      ['05', '17'].map((day) =>
        checkLog({ account_id: id, created_at: `${month}-${day}T10:00:00.000001+00:00` }),
      ),
    );
    await eventually(async () => (await setting.counts(id)).rows === 2);
    await first.stop();
    await closeMonth(db, month, config.plans);
    await db.$executeRaw`UPDATE billing_periods SET reconciled_to = (month + interval '1 month') AT TIME ZONE 'UTC'
    WHERE month = ${monthBounds(month).start}::date`;
    await db.$executeRaw`SELECT drop_check_subjects(${monthBounds(month).start}::date)`;
    t.strictSame(readdirSync(folder), []);
    const workers = await Promise.all([1, 2].map(() => setting.startWorker({ FACTS_DIR: folder })));
    await eventually(async () => (await setting.counts(id)).rows === 0);
    for (const worker of workers) await worker.stop();
    const days = ['05', '17'].map((day) => `check_logs_${month.replace('-', '_')}_${day}`);
    t.strictSame(
      readdirSync(folder),
      days.flatMap((day) => [`${day}.json`, `${day}.parquet`]),
    );
    t.match(await setting.counts(id), { rows: 0, counted: 2 }, 'the rollups stay');
    const period = await db.billingPeriod.findUniqueOrThrow({ where: { month: monthBounds(month).start } });
    t.equal(period.archivedRows, 2n);
  },
);
