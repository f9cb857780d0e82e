import { createDatabase } from '@verdict/local-stack/create-database.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import { takeStoredFile } from '../src/bulk/bulk-file.js';
import { takeBulkJobs } from '../src/bulk/bulk-lease.js';
import { connectDatabase } from '../src/database/client.js';
import { takeSubjectErasures } from '../src/erasure/subject-erasures.js';
import { takeMails } from '../src/people/outgoing-mails.js';
import { takeBacktests } from '../src/policies/backtest-queue.js';
import { createReviews } from '../src/reviews/reviews.js';
import { takeSecondLooks } from '../src/revisions/second-look-queue.js';
import { claimDueDeliveries } from '../src/webhooks/webhook-outbox.js';
import { isHeldBy, putBack, renewLease } from '../src/work/lease.js';
import { QUEUES } from '../src/work/queues.js';
import { runWork, type Work } from '../src/work/run-work.js';
import type { Leased } from '../src/work/work-queue.js';

/** Every queue keeps the promises of a lease: one holder, the next one when it dies, and no wait for a clock set back. */
const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});
const LATER = new Date('2100-01-01');
const JOB = { accountId: 'acc_1', keyId: 'key_1', format: 'csv', expiresAt: LATER };
const FILE = JSON.stringify({ parts: 1, rowsMax: 10 });

interface Case {
  /** Makes a row that is due. */
  make(): Promise<unknown>;
  take(places: number): Promise<readonly Leased[]>;
}

/** A queue without a line here does not compile. */
const CASES: Readonly<Record<keyof typeof QUEUES, Case>> = {
  mails: {
    make: () => db.outgoingMail.create({ data: { id: 'mal_1', kind: 'k', sealed: 's', expiresAt: LATER } }),
    take: (places) => takeMails(db, places),
  },
  webhooks: {
    async make() {
      const of = { accountId: 'acc_1', events: ['job.completed'], secret: 's' };
      await db.webhookEndpoint.create({ data: { id: 'whe_1', url: 'https://example.com/', ...of } });
      const event = { id: 'evt_1', accountId: 'acc_1', type: 'job.completed', data: {} };
      await db.webhookEvent.create({ data: event });
      const data = { id: 'whd_1', accountId: 'acc_1', eventId: 'evt_1', endpointId: 'whe_1' };
      await db.webhookDelivery.create({ data });
    },
    take: (free) => claimDueDeliveries(db, { free, shared: free, perAccountMax: 8, circuitFailures: 5 }),
  },
  backtests: {
    make: () =>
      db.policyBacktest.create({
        data: {
          ...{ id: 'bkt_1', accountId: 'acc_1', version: 1, total: 0 },
          ...{ fromAt: LATER, toAt: LATER, cursorAt: LATER },
        },
      }),
    take: (places) => takeBacktests(db, places),
  },
  files: {
    make: () => db.bulkJob.create({ data: { ...JOB, id: 'job_1', status: 'parsing', stored: FILE } }),
    take: () => takeStoredFile(db),
  },
  bulk: {
    make: () => db.bulkJob.create({ data: { ...JOB, id: 'job_1', status: 'running' } }),
    take: (places) => takeBulkJobs(db, places),
  },
  reviews: {
    make: () =>
      db.review.create({
        data: { id: 'log_1', accountId: 'acc_1', keyId: 'key_1', emailHash: 'h', createdAt: new Date() },
      }),
    take: async () => {
      const claimed = await createReviews(db, 'acc_1').claimNext(`ses_${sessions++}`);
      return claimed ? [claimed] : [];
    },
  },
  secondLooks: {
    make: () =>
      db.secondLook.create({
        data: {
          ...{ id: 'lok_1', changedAt: '1', release: '2', base: '1', status: 'searching', names: [] },
          ...{ fromAt: new Date(), toAt: LATER, cursorAt: new Date() },
        },
      }),
    take: (places) => takeSecondLooks(db, places),
  },
  subjectErasures: {
    make: () =>
      db.subjectErasure.create({ data: { id: 'era_1', accountId: 'acc_1', hashes: ['h'], fileHashes: [] } }),
    take: (places) => takeSubjectErasures(db, places),
  },
};
let sessions = 0;

t.beforeEach(async () => {
  await db.account.deleteMany();
  await db.outgoingMail.deleteMany();
  await db.secondLook.deleteMany();
  await db.account.create({ data: { id: 'acc_1', name: 'a', plan: 'free' } });
});

for (const [name, { make, take }] of Object.entries(CASES)) {
  const queue = QUEUES[name as keyof typeof QUEUES];
  const ends = (inSeconds: number) =>
    db.$executeRawUnsafe(
      `UPDATE ${queue.table} SET ${queue.until} = now() + make_interval(secs => ${inSeconds})`,
    );
  const takeOne = async (): Promise<Leased> => {
    const [leased] = await take(1);
    if (!leased) throw new Error(`nothing is due among ${name}`);
    return leased;
  };

  t.test(`${name}: one worker holds a row while its lease lasts`, async (t) => {
    await make();
    const taken = (await Promise.all([take(1), take(1), take(1)])).flat();
    t.equal(taken.length, 1, 'also when several take at the same moment');
    t.same(await take(1), []);
  });

  t.test(`${name}: the next worker takes the row of one that died, which has no say any more`, async (t) => {
    await make();
    const lost = await takeOne();
    await ends(-1);
    const held = await takeOne();
    t.match(held, { id: lost.id, lease: lost.lease + 1 });
    await ends(-1);
    await renewLease(db, queue, lost);
    t.equal(await putBack(db, queue, lost, 10_000), false);
    t.equal((await takeOne()).lease, held.lease + 1, 'it neither renewed nor put off the lease of another');
  });

  t.test(
    `${name}: a lease that is renewed lasts, and a row that is put back waits for its pause`,
    async (t) => {
      await make();
      const held = await takeOne();
      await ends(-1);
      await renewLease(db, queue, held);
      t.same(await take(1), []);
      t.equal(await putBack(db, queue, held, 20_000), true);
      t.same(await take(1), []);
      t.equal(await putBack(db, queue, held, 0), true);
      t.equal((await take(1)).length, 1);
    },
  );

  t.test(`${name}: a clock that is set back delays nothing`, async (t) => {
    await make();
    await ends(86_400);
    t.equal((await take(1)).length, 1, 'a row that nobody held');
    await ends(86_400);
    t.equal((await take(1)).length, 1, 'nor one of a worker that died before');
  });
}

t.test('webhooks: a clock that is set back delays no retry and no endpoint', async (t) => {
  await CASES.webhooks.make();
  const tomorrow = new Date(Date.now() + 5 * 86_400_000);
  await db.webhookDelivery.updateMany({ data: { nextAttemptAt: tomorrow } });
  await db.webhookEndpoint.updateMany({ data: { pausedUntil: tomorrow } });
  t.equal((await CASES.webhooks.take(1)).length, 1, 'of a first attempt');
  await db.webhookDelivery.updateMany({ data: { attempts: 1, leasedUntil: null } });
  t.equal((await CASES.webhooks.take(1)).length, 1, 'of another');
});

t.test(
  'a process fills its places, takes turns without a pause, and leaves all it held when it stops',
  async (t) => {
    await db.bulkJob.createMany({
      data: Array.from({ length: 6 }, (_, i) => ({ ...JOB, id: `job_${i}`, status: 'running' })),
    });
    const turns: { id: string; at: number }[] = [];
    let atOnce = 0;
    const work: Work<Leased> = {
      queue: { ...QUEUES.bulk, places: 4 },
      take: CASES.bulk.take,
      async run({ id }, closing) {
        t.ok(++atOnce <= 4);
        turns.push({ id, at: performance.now() });
        if (turns.length > 6) await new Promise((resolve) => closing.addEventListener('abort', resolve));
        atOnce--;
        return turns.length > 6 ? 0 : 50;
      },
    };
    const running = runWork(db, work, t.error);
    await eventually(() => turns.length === 10);
    t.equal(new Set(turns.slice(0, 6).map(({ id }) => id)).size, 6, 'each has a turn before one has two');
    await running.close();
    let taken = 0;
    await eventually(async () => {
      taken += (await CASES.bulk.take(6)).length;
      return taken === 6;
    });
    t.pass('the next process takes them without waiting for a lease to end');
  },
);

t.test('a failure puts its row back, and one that never gets further is given up', async (t) => {
  await CASES.backtests.make();
  const errors: unknown[] = [];
  const work: Work<Leased> = {
    queue: { ...QUEUES.backtests, tries: { column: 'tries', max: 2 } },
    take: CASES.backtests.take,
    run: () => Promise.reject(new Error('broken')),
    giveUp: async (taken) =>
      void (await db.$executeRaw`
        UPDATE policy_backtests SET status = 'failed' WHERE ${isHeldBy(QUEUES.backtests, taken)}`),
  };
  const running = runWork(db, work, (error) => errors.push(error));
  await eventually(async () => (await db.policyBacktest.findFirst())?.status === 'failed');
  await running.close();
  t.match(errors, [{ message: 'broken' }, { message: 'broken' }]);
});
