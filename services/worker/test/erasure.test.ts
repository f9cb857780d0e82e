import { readRecord, toOnce } from '@verdict/admission/replay-record.js';
import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import { appendBulkRows } from '@verdict/db/bulk-upload.js';
import { persistChecks } from '@verdict/db/persist-checks.js';
import { addressHash } from '@verdict/domain/address/address-hash.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { enforceRetention } from '@verdict/metering/enforce-retention.js';
import { eraseAddress } from '@verdict/metering/erase-address.js';
import { redisNow } from '@verdict/metering/redis-now.js';
import { recordKey } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { checkLog, createId, jobOf, rowsOf, verdictOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, redis, deadLetters, config } = setting;
const privacy = { storage: 'full', hashSecret: config.EMAIL_HASH_SECRET } as const;
const fresh = () => `jane-o+x.${createId('usr').toLowerCase()}@example.org`;
const erase = (email: string, drainMs = 1_000) =>
  eraseAddress(setting, { id: createId('era'), email, hashSecret: config.EMAIL_HASH_SECRET, drainMs });
const letter = (payload: unknown) => ({
  id: createId('req'),
  reason: 'test',
  logIds: [],
  queuedAtMs: Date.now(),
  shard: 0,
  payload,
});
const emptied = async () => {
  for (const { id } of await deadLetters.list()) await deadLetters.remove(id);
};

t.test('an address goes from a dead letter wherever it stands in it, and nothing else does', async (t) => {
  const email = fresh();
  const neighbour = `x${email}`;
  const payloads = [
    jobOf([
      checkLog({ email: ` ${email.toUpperCase()} `, verdict: verdictOf('block', `${email} is listed`) }),
    ]),
    { v: 99, items: [{ address: { text: email } }], note: `seen ${email}.` },
    `not even an object, but ${email}`,
  ];
  for (const payload of payloads) await deadLetters.add(letter(payload));
  const other = letter(jobOf([checkLog({ email: neighbour })]));
  await deadLetters.add(other);
  t.match(await erase(email), { deadLetters: 3 });
  const left = await deadLetters.list();
  t.equal(left.length, 4, 'the records themselves are still there to be billed');
  const found = left.find(({ id }) => id === other.id);
  t.match(found?.payload, other.payload, 'a longer address is somebody else’s');
  const rest = JSON.stringify(left.filter(({ id }) => id !== other.id)).toLowerCase();
  t.notMatch(rest, email);
  t.type(left.find(({ payload }) => typeof payload === 'string')?.payload, 'string', 'its shape is kept');
  t.match(await erase(email), { deadLetters: 0 }, 'erasing again finds nothing');
  await emptied();
});

t.test('who shared a verdict with an erased address keeps its reasons', async (t) => {
  const email = fresh();
  const shared = checkLog({ email, verdict: verdictOf('allow', 'Did you mean somebody@gmail.com?') });
  const other = checkLog({ email: fresh(), verdict: shared.verdict });
  await deadLetters.add(letter(jobOf([shared, other])));
  t.match(await erase(email), { deadLetters: 1 });
  const [left] = await deadLetters.list();
  const { verdicts, groups } = (left?.payload ?? { verdicts: [], groups: [] }) as CheckLogJob;
  const reasons = groups.map(({ checks }) => verdicts[checks[0]?.verdict ?? 0]?.factors[0]?.reason);
  t.strictSame(reasons, ['', 'Did you mean somebody@gmail.com?']);
  await emptied();
});

t.test('a dead letter that is retried meanwhile is erased after it was persisted', async (t) => {
  const email = fresh();
  const log = checkLog({ email });
  const dead = { ...letter(jobOf([log])), logIds: [log.id], queuedAtMs: Date.now() - 60_000 };
  await deadLetters.add(dead);
  const worker = await setting.startWorker();
  // An operator retries it just after the erasure has looked at the dead letters for the first time.
  let retried = false;
  const during = {
    ...setting,
    deadLetters: {
      ...deadLetters,
      async list() {
        const seen = await deadLetters.list();
        if (!retried) {
          retried = true;
          await deadLetters.retry(dead.id);
        }
        return seen;
      },
    },
  };
  const options = { id: createId('era'), email, hashSecret: config.EMAIL_HASH_SECRET, drainMs: 20_000 };
  await eraseAddress(during, options);
  await eventually(async () => (await setting.counts(log.account_id)).rows > 0);
  const subjects = await db.$queryRaw<unknown[]>`SELECT FROM check_subjects WHERE lower(email) = ${email}`;
  t.equal(subjects.length, 0);
  await worker.stop();
  await emptied();
});

t.test('a row of a bulk job goes as a whole, in every job, and its neighbours stay', async (t) => {
  const email = `jane.${createId('usr').toLowerCase()}@example.org`;
  const accountId = createId('acc');
  await db.account.create({ data: { id: accountId, name: 'a', plan: 'free' } });
  const jobId = createId('job');
  const expiresAt = new Date(Date.now() + 86_400_000);
  await db.bulkJob.create({ data: { id: jobId, accountId, keyId: 'key_1', format: 'csv', expiresAt } });
  const row = (address: string) => ({
    cells: JSON.stringify([address, 'Jane', 'Rome']),
    hash: addressHash(address.toLowerCase()),
    email: address,
    error: null,
  });
  const none = { bytes: 0, rows: 0, malformed: 0, addresses: 0 };
  const rows = [row(email), row('neighbour@example.org'), row(email.toUpperCase())];
  t.equal(await appendBulkRows(db, jobId, rows, none), 2);
  t.match(await erase(email), { bulkRows: 2 });
  const left = await db.bulkRow.findMany({ where: { jobId }, orderBy: { row: 'asc' } });
  t.match(left, [{ cells: null }, { cells: /neighbour/ }, { cells: null }]);
  const known = await db.bulkAddress.findMany({ where: { jobId }, orderBy: { number: 'asc' } });
  t.match(known, [{ email: null, hash: null }, { email: 'neighbour@example.org' }]);
});

t.test(
  'what an Idempotency-Key left loses the person and still keeps a retry from counting again',
  async (t) => {
    const email = `jane.${createId('usr').toLowerCase()}@example.org`;
    const [own, others] = [recordKey('acc_1', 'own', 1), recordKey('acc_1', 'others', 1)];
    const suggested = { ...verdictOf(), extra: { ...verdictOf().extra, suggestion: 'jane.doe@gmail.com' } };
    const [logId, body] = [createId('log'), 'b'.repeat(22)];
    const head = `${body}1794736800000000`;
    const match = JSON.stringify([{ at: 0, list: 'block', kind: 'address', value: email }]);
    const { rest } = toOnce('own', body, { checks: [{ id: logId, canonical: email, verdict: suggested }] });
    await redis.set(own, `${head}${match}\n${rest}`, 'EX', 1_000);
    const neighbour = { id: createId('log'), canonical: `x${email}`, verdict: verdictOf() };
    const untouched = `${head}\n${toOnce('others', body, { checks: [neighbour] }).rest}`;
    await redis.set(others, untouched);
    t.match(await erase(email), { answers: 1 });
    const left = (await redis.get(own)) ?? '';
    t.match(readRecord(left), {
      body,
      ids: [logId],
      nowMicros: 1794736800000000,
      matches: [],
      verdicts: [null],
    });
    t.notMatch(left, /jane/);
    t.ok((await redis.ttl(own)) > 900, 'and for no longer than before');
    t.equal(await redis.get(others), untouched);
    await redis.del(own, others);
  },
);

t.test('an address is found in the other spellings of the same mailbox', async (t) => {
  const name = createId('usr').toLowerCase();
  const spellings = [
    `${name}@bücher.example`,
    `${name}@xn--bcher-kva.example`,
    `${name.toUpperCase()}@BÜCHER.example`,
  ];
  const logs = spellings.map((email) => checkLog({ email }));
  await persistChecks(db, rowsOf(logs, privacy));
  t.match(await erase(spellings[1] ?? ''), { checks: 3 });
});

t.test('checks that a gateway with another clock has queued are awaited', async (t) => {
  const email = fresh();
  const log = checkLog({ email });
  await setting.queue(jobOf([log]), (await redisNow(redis)) + 2_000);
  await t.rejects(erase(email, 300), /let the worker catch up/);
  const worker = await setting.startWorker();
  t.match(await erase(email, 20_000), { checks: 1 });
  await worker.stop();
});

t.test(
  'whoever is on a plan that is no longer sold is kept no longer than the default plan says',
  async (t) => {
    const id = createId('acc');
    await db.account.create({ data: { id, name: id, plan: 'withdrawn' } });
    const log = checkLog({ account_id: id, created_at: '2027-04-25T10:00:00.000000+00:00' });
    await persistChecks(db, rowsOf([log], privacy));
    await enforceRetention(setting, config.plans, Date.parse('2027-06-20T00:00:00Z'));
    const left = await db.$queryRaw<unknown[]>`SELECT FROM check_subjects WHERE account_id = ${id}`;
    t.equal(left.length, 0);
    t.match(await setting.counts(id), { rows: 1, counted: 1 });
  },
);
