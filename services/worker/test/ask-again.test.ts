import type { Verdict } from '@verdict/contracts/verdict.js';
import { takeBulkJobs } from '@verdict/db/bulk/bulk-lease.js';
import { finishChunk } from '@verdict/db/bulk/store-verdicts.js';
import { compilePolicy } from '@verdict/domain/policy/compile-policy.js';
import t from 'tap';
import { askAgain } from '../src/bulk/ask-again.js';
import { toBulkVerdict } from '../src/bulk/to-bulk-verdict.js';
import type { PolicyRules } from '../src/policies/policy-rules.js';
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
async function checkedJob(
  addresses: number,
  first: readonly Verdict[] = [],
  {
    policyVersion = null,
    checkedAt = null,
  }: { policyVersion?: number | null; checkedAt?: string | null } = {},
): Promise<string> {
  const accountId = createId('acc');
  await db.account.create({ data: { id: accountId, name: 'a', plan: 'free' } });
  const id = createId('job');
  const data = { id, accountId, keyId: 'key_1', format: 'csv', status: 'running', addresses, policyVersion };
  await db.bulkJob.create({ data: { ...data, expiresAt: new Date('2100-01-01') } });
  const numbers = Array.from({ length: addresses }, (_, number) => number);
  await db.bulkAddress.createMany({
    data: numbers.map((number) => ({ jobId: id, number, email: `p${number}@example.com` })),
  });
  const verdicts = numbers.map((number) =>
    toBulkVerdict({ number, logId: createId('log'), checkedAt }, first[number] ?? UNKNOWN, undefined),
  );
  await finishChunk(db, { id, done: 0 }, { to: addresses, attempt: 0 }, verdicts);
  return id;
}

/** Asks until the job is complete; how many addresses were asked for each time. */
async function askToTheEnd(
  id: string,
  answers: (asked: number) => boolean,
  policyRules: PolicyRules = async () => null,
): Promise<number[]> {
  const asked: number[] = [];
  for (;;) {
    await db.bulkJob.update({ where: { id }, data: { leasedUntil: new Date(0) } });
    const [job] = await takeBulkJobs(db, 1);
    if (!job) return asked;
    const score = async (emails: readonly string[]) => {
      asked.push(emails.length);
      return emails.map(() => (answers(asked.length) ? ANSWERED : UNKNOWN));
    };
    await askAgain({ db, score, policyRules }, job);
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

t.test('an address that is scored again is judged by the rules of the instant of its check', async (t) => {
  const policy = (ends_at: string) =>
    compilePolicy([
      {
        name: 'All',
        when: { all: [{ field: 'score', op: 'gte', value: 0 }] },
        then: { exactly: 'block' },
        ends_at,
      },
    ]);
  const checkedAt = '2026-11-17T12:00:00.123456+00:00';
  const cases = [
    ['2026-11-17T12:00:00.123456Z', checkedAt, 'allow'],
    ['2026-11-17T12:00:00.123457Z', checkedAt, 'block'],
    ['2026-11-17T12:00:00.123457Z', null, 'block'],
  ] as const;
  for (const [ends_at, at, decision] of cases) {
    const id = await checkedJob(3, [], { policyVersion: 1, checkedAt: at });
    await askToTheEnd(
      id,
      () => true,
      async () => policy(ends_at),
    );
    const rows = await db.bulkAddress.findMany({ where: { jobId: id } });
    t.strictSame(
      rows.map((row) => row.decision),
      [decision, decision, decision],
      `${ends_at} for a check of ${at}`,
    );
  }
});
