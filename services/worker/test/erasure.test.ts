import { readRecord, toIdempotency } from '@verdict/admission/replay-record.js';
import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import { appendBulkRows } from '@verdict/db/bulk/bulk-upload.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { readErasureJournal } from '@verdict/db/erasure/erasure-journal.js';
import { createUser } from '@verdict/db/people/users.js';
import { addressHash } from '@verdict/domain/address/address-hash.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { encodeTime } from '@verdict/domain/id.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { enforceRetention } from '@verdict/metering/enforce-retention.js';
import { eraseAddress } from '@verdict/metering/erase-address.js';
import { forgetDepartedDeadLetters } from '@verdict/metering/forget-departed-dead-letters.js';
import { reapplyErasures } from '@verdict/metering/reapply-erasures.js';
import { recordKey } from '@verdict/redis-store/keys.js';
import { redisNow } from '@verdict/redis-store/redis-now.js';
import t from 'tap';
import { checkLog, createId, jobOf, rowsOf, verdictOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, redis, deadLetters, config } = setting;
const privacy = { storage: 'full', hashSecret: config.EMAIL_HASH_SECRET } as const;
const fresh = () => `jane-o+x.${createId('usr').toLowerCase()}@example.org`;
const erase = (email: string, drainMs = 120_000) =>
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
  const options = { id: createId('era'), email, hashSecret: config.EMAIL_HASH_SECRET, drainMs: 120_000 };
  await eraseAddress(during, options);
  await eventually(async () => (await setting.counts(log.account_id)).rows > 0);
  const subjects = await db.$queryRaw<unknown[]>`SELECT FROM check_subjects WHERE lower(email) = ${email}`;
  t.equal(subjects.length, 0);
  await worker.stop();
  await emptied();
});

t.test('what was said of an erased person goes with notes and history, in every account', async (t) => {
  const name = createId('usr').toLowerCase();
  const [email, plain, neighbour] = [`${name}+x@example.org`, `${name}@example.org`, `x${name}@example.org`];
  const accounts = [createId('acc'), createId('acc')];
  for (const id of accounts) await db.account.create({ data: { id, name: 'a', plan: 'free' } });
  const [accountId = ''] = accounts;
  const [log, other] = [
    checkLog({ email, account_id: accountId }),
    checkLog({ email: neighbour, account_id: accountId }),
  ];
  await persistChecks(db, rowsOf([log, other], privacy));
  const hashOf = (text: string) => hashEmail(config.EMAIL_HASH_SECRET, text);
  const said = { outcome: 'abuse', note: 'Jane from Rome', saidBy: 'usr_1', history: [{ note: 'Jane' }] };
  const subjects = [log.id, other.id, hashOf(email), hashOf(plain)];
  for (const account of accounts)
    await db.outcome.createMany({
      data: subjects.map((subject) => ({ ...said, accountId: account, subject })),
    });
  await erase(email);
  const left = async () =>
    (await db.outcome.findMany({ where: { accountId } })).map(({ subject }) => subject);
  t.strictSame((await left()).sort(), [other.id, hashOf(plain)].sort(), 'of the address, and of its checks');
  t.equal(await db.outcome.count({ where: { subject: hashOf(email) } }), 0, 'in every account');
  await erase(plain);
  t.strictSame(await left(), [other.id]);
});

t.test(
  'retention takes the words beside an aged check, labels of checks that never came, and keeps the outcome',
  async (t) => {
    const accountId = createId('acc');
    await db.account.create({ data: { id: accountId, name: 'a', plan: 'free' } });
    const old = checkLog({ email: fresh(), account_id: accountId });
    const kept = { ...old, id: `log_${encodeTime(Date.now() - 40 * 86_400_000)}0123456789ABCDEF` };
    await persistChecks(db, rowsOf([kept], privacy));
    await db.$executeRaw`DELETE FROM check_subjects WHERE id = ${kept.id}`;
    const never = `log_${encodeTime(Date.now() - 40 * 86_400_000)}FEDCBA9876543210`;
    const early = createId('log');
    const said = { accountId, outcome: 'abuse', note: 'n', saidBy: 'usr_1', history: [{ note: 'm' }] };
    await db.outcome.createMany({ data: [kept.id, never, early].map((subject) => ({ ...said, subject })) });
    await enforceRetention({ db }, config.plans, Date.now(), 30);
    const left = await db.outcome.findMany({ where: { accountId }, orderBy: { subject: 'asc' } });
    t.match(left, [
      { subject: kept.id, outcome: 'abuse', note: null, history: [] },
      { subject: early, note: 'n' },
    ]);
  },
);

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
  // A file that is not parsed yet may hold the address.
  await db.bulkJob.update({ where: { id: jobId }, data: { stored: '{}' } });
  await t.rejects(erase(email, 300), /let the worker catch up/);
  await db.bulkJob.update({ where: { id: jobId }, data: { status: 'ready' } });
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
    const { rest } = toIdempotency('own', body, {
      checks: [{ id: logId, canonical: email, verdict: suggested }],
    });
    await redis.set(own, `${head}${match}\n${rest}`, 'EX', 1_000);
    const neighbour = { id: createId('log'), canonical: `x${email}`, verdict: verdictOf() };
    const untouched = `${head}\n${toIdempotency('others', body, { checks: [neighbour] }).rest}`;
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

t.test(
  'erasing a mailbox reaches its other spellings, and erasing one of those reaches it alone',
  async (t) => {
    const name = createId('usr').replace('_', '').toLowerCase();
    const emails = [`${name}@gmail.com`, `u.${name.slice(1)}+1@googlemail.com`, `${name}+2@gmail.com`];
    const logs = emails.map((email) => checkLog({ email }));
    await persistChecks(db, rowsOf(logs, privacy));
    t.match(await erase(emails[2] ?? ''), { checks: 1 });
    t.match(await erase(emails[0] ?? ''), { checks: 2 });
  },
);

t.test('checks that a gateway with another clock has queued are awaited', async (t) => {
  const email = fresh();
  const log = checkLog({ email });
  await setting.queue(jobOf([log]), (await redisNow(redis)) + 2_000);
  await t.rejects(erase(email, 300), /let the worker catch up/);
  const worker = await setting.startWorker();
  t.match(await erase(email), { checks: 1 });
  await worker.stop();
});

t.test(
  'whoever is on a plan that is no longer sold is kept no longer than the default plan says',
  async (t) => {
    const id = createId('acc');
    await db.account.create({ data: { id, name: id, plan: 'withdrawn' } });
    const log = checkLog({ account_id: id, created_at: '2027-04-25T10:00:00.000000+00:00' });
    await persistChecks(db, rowsOf([log], privacy));
    await enforceRetention(setting, config.plans, Date.parse('2027-06-20T00:00:00Z'), 90);
    const left = await db.$queryRaw<unknown[]>`SELECT FROM check_subjects WHERE account_id = ${id}`;
    t.equal(left.length, 0);
    t.match(await setting.counts(id), { rows: 1, counted: 1 });
  },
);

t.test(
  'dead letters of an account that was deleted lose their addresses and stay to be billed',
  async (t) => {
    const [gone, stays] = [createId('acc'), createId('acc')];
    for (const id of [gone, stays]) await db.account.create({ data: { id, name: id, plan: 'free' } });
    const [lost, kept] = [fresh(), fresh()];
    await deadLetters.add(letter(jobOf([checkLog({ account_id: gone, email: lost })])));
    await deadLetters.add(letter(jobOf([checkLog({ account_id: stays, email: kept })])));
    await deadLetters.add(letter('no job at all'));
    await db.account.delete({ where: { id: gone } });
    t.equal(await forgetDepartedDeadLetters(setting), 1);
    const left = JSON.stringify(await deadLetters.list());
    t.notMatch(left, lost);
    t.match(left, gone);
    t.match(left, kept);
    t.equal(await forgetDepartedDeadLetters(setting), 0);
    await emptied();
  },
);

const noted = (details: object, createdAt = new Date()) =>
  db.auditEvent.create({
    data: {
      id: createId('aud'),
      accountId: 'acc_x',
      action: 'list.added',
      details,
      ip: '192.0.2.7',
      createdAt,
    },
  });
const detailsOf = async (id: string) =>
  JSON.stringify((await db.auditEvent.findUniqueOrThrow({ where: { id } })).details);

t.test('an address goes from the audit log, also where somebody typed it into a note', async (t) => {
  const email = fresh();
  const neighbour = `x${email}`;
  const own = await noted({ list: 'block', value: email, note: `wrote as ${email.toUpperCase()}, twice` });
  const other = await noted({ list: 'block', value: neighbour });
  t.match(await erase(email), { auditRecords: 1 });
  t.notMatch((await detailsOf(own.id)).toLowerCase(), email);
  t.match(await detailsOf(own.id), /"list":"block"/, 'what happened stays');
  t.match(await detailsOf(other.id), neighbour, 'a longer address is somebody else’s');
  t.match(await erase(email), { auditRecords: 0 });
});

t.test('a quoted, a decomposed and a plain spelling of one mailbox are one person', async (t) => {
  const name = createId('usr').toLowerCase();
  const spellings = [
    `jürgen.${name}@example.org`,
    `ju\u0308rgen.${name}@example.org`,
    `"jürgen.${name}"@example.org`,
  ];
  await persistChecks(
    db,
    rowsOf(
      spellings.map((email) => checkLog({ email })),
      privacy,
    ),
  );
  t.match(await erase(spellings[1] ?? ''), { checks: 3 });
});

t.test('from where somebody acted is forgotten after ninety days; that they did is not', async (t) => {
  const day = 86_400_000;
  const now = Date.now();
  const old = await noted({ list: 'allow' }, new Date(now - 91 * day));
  const recent = await noted({ list: 'allow' }, new Date(now - 89 * day));
  t.match(await enforceRetention(setting, config.plans, now, 90), { forgottenIps: 1 });
  const ipOf = async (id: string) => (await db.auditEvent.findUniqueOrThrow({ where: { id } })).ip;
  t.strictSame([await ipOf(old.id), await ipOf(recent.id)], [null, '192.0.2.7']);
});

t.test('what was forgotten and came back from a backup is forgotten again, and nothing else', async (t) => {
  const [email, neighbour] = [fresh(), fresh()];
  const account = { userId: createId('usr'), accountId: createId('acc'), passwordHash: 'x', plan: 'free' };
  const user = { ...account, email: fresh(), name: 'Leaver' };
  const audit = (action: string) => ({
    id: createId('aud'),
    userId: null,
    ip: null,
    requestId: null,
    action,
  });
  const comesBack = async () => {
    await persistChecks(db, rowsOf([checkLog({ email }), checkLog({ email: neighbour })], privacy));
    await createUser(db, user, audit('user.registered'));
    return noted({ value: email, note: `beside ${neighbour}` });
  };
  const left = (address: string) =>
    db.$queryRaw<unknown[]>`SELECT FROM check_subjects WHERE lower(email) = ${address}`;
  await comesBack();
  await erase(email);
  await db.account.delete({ where: { id: user.accountId } });
  const journal = await readErasureJournal(db);
  t.notMatch(JSON.stringify(journal), email, 'the journal names nobody');
  // The backup is from before, so it knows nothing of the erasure.
  await db.erasure.deleteMany();
  const note = await comesBack();
  const again = await reapplyErasures(setting, journal, config.EMAIL_HASH_SECRET, () =>
    audit('account.deleted'),
  );
  t.match(again, { checks: 1, auditRecords: 1, accounts: 1 });
  t.equal((await left(email)).length, 0);
  t.equal((await left(neighbour)).length, 2, 'the neighbour stays');
  t.notMatch(await detailsOf(note.id), email);
  t.match(await detailsOf(note.id), neighbour);
  t.equal(await db.account.count({ where: { id: user.accountId } }), 0);
  t.equal(await db.user.count({ where: { email: user.email } }), 0);
  t.ok((await db.erasure.count()) > 0, 'and the receipts are there again');
  t.match(await reapplyErasures(setting, journal, config.EMAIL_HASH_SECRET, () => audit('account.deleted')), {
    checks: 0,
    auditRecords: 0,
    accounts: 0,
  });
});
