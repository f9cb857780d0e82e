import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { readErasureJournal } from '@verdict/db/erasure/erasure-journal.js';
import { createSubjectErasures, repeatErasures } from '@verdict/db/erasure/subject-erasures.js';
import { addressHash } from '@verdict/domain/address/address-hash.js';
import { subjectKeys } from '@verdict/domain/address/subject-keys.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { reapplyErasures } from '@verdict/metering/reapply-erasures.js';
import t from 'tap';
import { checkLog, createId, rowsOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const SECRET = 'secret-of-the-test';
const setting = await setUp();
t.teardown(() => setting.close());
const { db } = setting;

async function newAccount(): Promise<string> {
  const id = createId('acc');
  await db.account.create({ data: { id, name: 'a', plan: 'free' } });
  return id;
}

/** Stored checks of an account about addresses. */
async function store(accountId: string, emails: readonly string[], at = new Date()): Promise<string[]> {
  const created_at = at.toISOString().replace('Z', '000+00:00');
  const checks = emails.map((email) => checkLog({ account_id: accountId, email, created_at }));
  await persistChecks(db, rowsOf(checks, { storage: 'full', hashSecret: SECRET }));
  return checks.map(({ id }) => id);
}

const request = (accountId: string, email: string) => {
  const id = createId('era');
  const audit = {
    id: createId('aud'),
    userId: null,
    ip: null,
    requestId: null,
    action: 'subject.erased',
    target: id,
  };
  return createSubjectErasures(db, accountId).request(id, subjectKeys(email, SECRET), audit);
};

const emailsOf = async (accountId: string) =>
  (await db.checkSubject.findMany({ where: { accountId }, orderBy: { id: 'asc' } }))
    .map(({ email }) => email)
    .sort();

t.test('the worker erases a person of one account: checks, words about them and rows of files', async (t) => {
  const [own, other] = [await newAccount(), await newAccount()];
  const [check] = await store(own, ['Jane@example.org', 'jane+tag@example.org', 'max@example.org']);
  await store(other, ['jane@example.org']);
  const say = (accountId: string, subject: string) =>
    db.outcome.create({ data: { accountId, subject, outcome: 'abuse', note: 'Jane', saidBy: 'usr' } });
  await say(own, check ?? '');
  const file = { keyId: 'key_1', format: 'csv', expiresAt: new Date('2100-01-01') };
  for (const [n, accountId] of [own, other].entries()) {
    const jobId = `job_${n}`;
    await db.bulkJob.create({ data: { id: jobId, accountId, status: 'completed', ...file } });
    const email = 'jane@example.org';
    await db.bulkAddress.create({ data: { jobId, number: 0, hash: addressHash(email), email } });
    await db.bulkRow.create({ data: { jobId, row: 1, cells: email, address: 0 } });
  }
  const before = await db.checkLog.count({ where: { accountId: own } });
  const { id } = await request(own, 'jane@example.org');
  const worker = await setting.startWorker();
  await eventually(async () => (await emailsOf(own)).length === 1);
  await eventually(async () => (await createSubjectErasures(db, own).find(id))?.checks === 2);
  await worker.stop();
  t.strictSame(await emailsOf(own), ['max@example.org']);
  t.match(await createSubjectErasures(db, own).find(id), { checks: 2, file_rows: 1 });
  t.equal(await db.outcome.count({ where: { accountId: own } }), 0);
  t.strictSame(
    (await db.bulkRow.findMany({ orderBy: { jobId: 'asc' } })).map(({ cells }) => cells),
    [null, 'jane@example.org'],
    'the file of another account keeps its row',
  );
  t.strictSame(await emailsOf(other), ['jane@example.org']);
  t.equal(await db.checkLog.count({ where: { accountId: own } }), before, 'every check stays counted');
});

t.test(
  'it is done when nothing from before can come, and what comes later all the same is erased',
  async (t) => {
    const own = await newAccount();
    const { id } = await request(own, 'late@example.org');
    await db.$executeRaw`UPDATE subject_erasures SET requested_at = now() - interval '5 minutes' WHERE id = ${id}`;
    const worker = await setting.startWorker();
    await eventually(async () => (await createSubjectErasures(db, own).find(id))?.done_at !== null);
    await worker.stop();
    await store(own, ['late@example.org'], new Date(Date.now() - 600_000));
    const [again] = await store(own, ['late@example.org']);
    t.equal(await repeatErasures(db), 1);
    t.strictSame(
      (await db.checkSubject.findMany({ where: { accountId: own } })).map((subject) => subject.id),
      [again],
      'a check that the person came back for stays',
    );
    t.equal(await repeatErasures(db), 0);
  },
);

t.test(
  'after a restore the journal erases again, for the account alone and without an address',
  async (t) => {
    const [own, other] = [await newAccount(), await newAccount()];
    await request(own, 'gone@example.org');
    const journal = await readErasureJournal(db);
    t.notMatch(JSON.stringify(journal), /gone/);
    await db.subjectErasure.deleteMany();
    await store(own, ['gone@example.org'], new Date(Date.now() - 600_000));
    await store(other, ['gone@example.org'], new Date(Date.now() - 600_000));
    const audit = { id: createId('aud'), userId: null, ip: null, requestId: null, action: 'account.deleted' };
    for (let n = 0; n < 2; n++) await reapplyErasures(setting, journal, SECRET, () => audit);
    t.equal(await db.subjectErasure.count({ where: { accountId: own } }), 1);
    const worker = await setting.startWorker();
    await eventually(async () => (await emailsOf(own)).length === 0);
    await worker.stop();
    t.strictSame(await emailsOf(other), ['gone@example.org']);
  },
);
