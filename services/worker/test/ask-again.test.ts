import type { Verdict } from '@verdict/contracts/verdict.js';
import { finishChunk, takeBulkJob } from '@verdict/db/bulk/bulk-chunks.js';
import t from 'tap';
import { askAgain } from '../src/bulk/ask-again.js';
import { toBulkVerdict } from '../src/bulk/to-bulk-verdict.js';
import { createId, verdictOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db } = setting;
const UNKNOWN = {
  ...verdictOf(),
  signals: { ...verdictOf().signals, mx_valid: false },
  extra: { ...verdictOf().extra, mx_unknown: true },
};

const sampled = (signals: Partial<Verdict['signals']>, code = 'TEST'): Verdict => ({
  ...verdictOf(),
  signals: { ...verdictOf().signals, ...signals },
  factors: [{ code, points: 5, reason: 'A reason' }],
});
const ANSWERED = sampled({ mx_valid: true, free_provider: false });
/** Their mail servers are known without DNS. */
const PROVIDER = sampled({ mx_valid: true, free_provider: true });
const RELAY = sampled({ mx_valid: true, free_provider: false }, 'RELAY_DOMAIN');

/** A job whose addresses are all checked: the first ones as given, DNS could not answer for the others. */
async function checkedJob(addresses: number, first: readonly Verdict[] = []): Promise<string> {
  const accountId = createId('acc');
  await db.account.create({ data: { id: accountId, name: 'a', plan: 'free' } });
  const id = createId('job');
  const data = { id, accountId, keyId: 'key_1', format: 'csv', status: 'running', addresses };
  await db.bulkJob.create({ data: { ...data, expiresAt: new Date('2100-01-01') } });
  const numbers = Array.from({ length: addresses }, (_, number) => number);
  await db.bulkAddress.createMany({
    data: numbers.map((number) => ({ jobId: id, number, email: `p${number}@example.com` })),
  });
  const verdicts = numbers.map((number) =>
    toBulkVerdict({ number, logId: createId('log') }, first[number] ?? UNKNOWN, undefined),
  );
  await finishChunk(db, { id, done: 0 }, { to: addresses, attempt: 0 }, verdicts);
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
      return emails.map(() => (answers(asked.length) ? ANSWERED : UNKNOWN));
    };
    await askAgain({ db, score, policyRules: async () => null }, job);
  }
}

t.test('where DNS never answered nobody asks on', async (t) => {
  const id = await checkedJob(1_200, [PROVIDER, RELAY]);
  t.same(await askToTheEnd(id, () => false), [500], 'one chunk, and it is over');
  t.match(await db.bulkJob.findUnique({ where: { id } }), { status: 'completed', unknown: 1_198 });
});

t.test('where it did, what is unknown is asked for three times', async (t) => {
  const id = await checkedJob(10, Array(4).fill(ANSWERED));
  t.same(await askToTheEnd(id, () => false), [6, 6, 6]);
  t.match(await db.bulkJob.findUnique({ where: { id } }), { status: 'completed', unknown: 6 });
});

t.test('a DNS that is back by then is asked for everything', async (t) => {
  const id = await checkedJob(1_200);
  t.same(await askToTheEnd(id, () => true), [500, 500, 200]);
  t.match(await db.bulkJob.findUnique({ where: { id } }), { status: 'completed', unknown: 0 });
});
