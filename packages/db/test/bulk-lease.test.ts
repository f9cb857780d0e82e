import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { overdueBulkJobs, putOffBulkJob, renewBulkLease, takeBulkJob } from '../src/bulk/bulk-lease.js';
import { connectDatabase } from '../src/database/client.js';

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});
await db.account.create({ data: { id: 'acc_1', name: 'a', plan: 'free' } });
t.beforeEach(async () => {
  await db.bulkJob.deleteMany();
  const data = { id: 'job_1', accountId: 'acc_1', keyId: 'key_1', format: 'csv', status: 'running' };
  await db.bulkJob.create({ data: { ...data, expiresAt: new Date('2100-01-01') } });
});

const overdue = () => overdueBulkJobs(db);
const leaseEnds = (seconds: number) =>
  db.$executeRaw`UPDATE bulk_jobs SET leased_until = now() + make_interval(secs => ${seconds})`;

t.test('one worker takes up a job, and nobody else under the same lease', async (t) => {
  t.same(await overdue(), [{ id: 'job_1', lease: 0 }], 'a job that was just started');
  const taken = await Promise.all([1, 2, 3].map(() => takeBulkJob(db, { id: 'job_1', lease: 0 })));
  t.same(
    taken.flatMap((job) => (job ? [job.lease] : [])),
    [1],
  );
  t.same(await overdue(), [], 'while its worker is heard of');
});

t.test('a worker that is not heard of any more loses the job to the next', async (t) => {
  const lost = await takeBulkJob(db, { id: 'job_1', lease: 0 });
  if (!lost) throw new Error('not taken');
  await leaseEnds(-1);
  t.same(await overdue(), [{ id: 'job_1', lease: 1 }]);
  t.match(await takeBulkJob(db, { id: 'job_1', lease: 1 }), { lease: 2 });
  t.equal(await putOffBulkJob(db, lost, 0), false, 'and cannot put it off when it wakes up');
  await leaseEnds(-1);
  await renewBulkLease(db, lost);
  t.equal((await overdue()).length, 1, 'nor renew a lease that is not its own');
});

t.test('a job between two chunks is not lost before its pause is over', async (t) => {
  const job = await takeBulkJob(db, { id: 'job_1', lease: 0 });
  if (!job) throw new Error('not taken');
  t.equal(await putOffBulkJob(db, job, 60_000), true);
  t.same(await overdue(), []);
  await db.bulkJob.updateMany({ data: { status: 'paused' } });
  t.equal(await putOffBulkJob(db, job, 0), false, 'a paused job is queued by nobody');
});

t.test('a job that hangs in a queue, or whose clock ran ahead, gets a lease of its own', async (t) => {
  for (const seconds of [-3_600, 86_400]) {
    const { lease } = await db.bulkJob.findFirstOrThrow();
    await leaseEnds(seconds);
    t.same(await overdue(), [{ id: 'job_1', lease: lease + 1 }]);
    t.same(await overdue(), [{ id: 'job_1', lease: lease + 1 }], 'once');
  }
});
