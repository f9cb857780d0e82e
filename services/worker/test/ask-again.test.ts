import { takeBulkJob } from '@verdict/db/bulk/bulk-chunks.js';
import t from 'tap';
import { askAgain } from '../src/bulk/ask-again.js';
import { createId, verdictOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db } = setting;
const UNKNOWN = { ...verdictOf(), extra: { ...verdictOf().extra, mx_unknown: true } };

/** A job whose addresses are all checked; of the first `answered` the mail servers were found. */
async function checkedJob(addresses: number, answered: number): Promise<string> {
  const accountId = createId('acc');
  await db.account.create({ data: { id: accountId, name: 'a', plan: 'free' } });
  const id = createId('job');
  const counts = { addresses, done: addresses, unknown: addresses - answered, allowed: addresses };
  const data = { id, accountId, keyId: 'key_1', format: 'csv', status: 'running', ...counts };
  await db.bulkJob.create({ data: { ...data, expiresAt: new Date('2100-01-01') } });
  await db.bulkAddress.createMany({
    data: Array.from({ length: addresses }, (_, number) => ({
      ...{ jobId: id, number, email: `p${number}@example.com`, decision: 'allow', riskScore: 5 },
      ...{ unknown: number >= answered, mxValid: number < answered },
    })),
  });
  return id;
}

/** Asks until the job is complete; how many addresses were asked for each time. */
async function askToTheEnd(id: string, answers: (asked: number) => boolean): Promise<number[]> {
  const asked: number[] = [];
  for (;;) {
    const { lease } = await db.bulkJob.findUniqueOrThrow({ where: { id } });
    const job = await takeBulkJob(db, { id, lease });
    if (!job) return asked;
    const score = async (emails: readonly string[]) => {
      asked.push(emails.length);
      return emails.map(() => (answers(asked.length) ? verdictOf() : UNKNOWN));
    };
    await askAgain({ db, score }, job);
  }
}

t.test('where DNS never answered nobody asks on', async (t) => {
  const id = await checkedJob(1_200, 0);
  t.same(await askToTheEnd(id, () => false), [500], 'one chunk, and it is over');
  t.match(await db.bulkJob.findUnique({ where: { id } }), { status: 'completed', unknown: 1_200 });
});

t.test('where it did, what is unknown is asked for three times', async (t) => {
  const id = await checkedJob(10, 4);
  t.same(await askToTheEnd(id, () => false), [6, 6, 6]);
  t.match(await db.bulkJob.findUnique({ where: { id } }), { status: 'completed', unknown: 6 });
});

t.test('a DNS that is back by then is asked for everything', async (t) => {
  const id = await checkedJob(1_200, 0);
  t.same(await askToTheEnd(id, () => true), [500, 500, 200]);
  t.match(await db.bulkJob.findUnique({ where: { id } }), { status: 'completed', unknown: 0 });
});
