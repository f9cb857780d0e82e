import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { persistTestChecks } from '@verdict/db/checks/persist-test-checks.js';
import { eraseSubjects } from '@verdict/db/erasure/erase-subject.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import t from 'tap';
import { createId, rowOf } from './support/check-rows.js';
import { type Customer, callerOf, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const { db } = stores;
const SUBJECT = '/api/v1/dashboard/subject.ndjson';
const hashOf = (email: string) => hashEmail(plane.deps.config.EMAIL_HASH_SECRET, email);

const checkOf = (accountId: string, email: string) => {
  const row = rowOf(accountId, 'key_1');
  return {
    ...row,
    email,
    email_hash: hashOf(email),
    verdict: { ...row.verdict, decision: 'review', risk_score: 60 },
  };
};

const linesOf = async ({ call }: Customer, email: string) => {
  const { status, text } = await call('POST', SUBJECT, { email });
  t.equal(status, 200);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; id?: string; account_id: string });
};

t.test('a customer gets everything that the account keeps of a person, and nothing of others', async (t) => {
  const [owner, stranger] = [await plane.customer(), await plane.customer()];
  const [own, other, foreign] = [
    checkOf(owner.accountId, 'jane@example.org'),
    checkOf(owner.accountId, 'max@example.org'),
    checkOf(stranger.accountId, 'jane@example.org'),
  ];
  await persistChecks(db, [own, other, foreign]);
  const look = await db.secondLook.create({
    data: {
      ...{
        id: createId('lok'),
        changedAt: createId('lok'),
        release: '2',
        base: '1',
        status: 'done',
        names: [],
      },
      ...{ fromAt: new Date(), toAt: new Date(), cursorAt: new Date() },
    },
  });
  await db.revision.createMany({
    data: [own, other, foreign].map(({ id, account_id: accountId, created_at }) => ({
      ...{ id, lookId: look.id, accountId, keyId: 'key_1', checkedAt: new Date(created_at) },
      ...{
        fromDecision: 'review',
        toDecision: 'block',
        riskScore: 90,
        codes: ['DISPOSABLE_DOMAIN'],
        release: '2',
      },
    })),
  });
  await owner.call('POST', '/api/v1/lists/block/', { value: 'jane@example.org' });
  const before = await linesOf(owner, 'Jane@Example.org');
  t.strictSame(before.map(({ type }) => type).sort(), ['check', 'list_entry', 'review', 'revision']);
  await owner.call('POST', '/api/v1/outcomes/', {
    items: [
      { id: own.id, outcome: 'abuse', note: 'a note' },
      { email: 'jane@example.org', outcome: 'abuse' },
    ],
  });
  const lines = await linesOf(owner, 'JANE@example.org');
  t.strictSame(lines.map(({ type }) => type).sort(), [
    'check',
    'list_entry',
    'outcome',
    'outcome',
    'revision',
  ]);
  t.ok(lines.every(({ account_id: account }) => account === owner.accountId));
  t.match(lines[0], { type: 'check', id: own.id, decision: 'review', email: 'jane@example.org' });

  await eraseSubjects(db, [hashOf('jane@example.org')]);
  t.strictSame(
    (await linesOf(owner, 'jane@example.org')).map(({ type }) => type),
    ['list_entry'],
    'after the erasure only the entry that the customer keeps is left',
  );
  t.strictSame(await linesOf(stranger, 'jane@example.org'), []);
  t.equal((await linesOf(owner, 'max@example.org')).length, 3, 'of another person everything is there');
});

t.test('a customer erases a person for their account alone, without naming them anywhere', async (t) => {
  const [owner, stranger] = [await plane.customer(), await plane.customer()];
  const ERASE = '/api/v1/dashboard/subject/erase/';
  const asked = await owner.call('POST', ERASE, { email: 'Jane@Example.org' });
  t.match(asked, { status: 202, body: { erasure: { done_at: null, checks: 0, file_rows: 0 } } });
  const { id } = asked.body.erasure;
  const erasureOf = ({ call }: Customer) => call('GET', `/api/v1/dashboard/subject/erasures/${id}/`);
  t.match(await erasureOf(owner), { status: 200, body: asked.body });
  t.equal((await erasureOf(stranger)).status, 404);
  const [row] = await db.subjectErasure.findMany({ where: { accountId: owner.accountId } });
  t.ok(row?.hashes.includes(hashOf('jane@example.org')));
  const audit = await db.auditEvent.findMany({
    where: { accountId: owner.accountId, action: 'subject.erased' },
  });
  t.match(audit, [{ target: id }]);
  t.notMatch(
    JSON.stringify([row, audit], (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    /jane/i,
  );
  t.equal((await owner.call('POST', ERASE, { email: 'no address' })).status, 400);
});

t.test('an address that fills a file is read in pieces, in the turn of its account', async (t) => {
  const ROWS = 200;
  const PIECE_BYTES_MAX = 300 * 1024;
  const owner = await plane.customer();
  const { body } = await owner.call('POST', '/api/v1/dashboard/keys/', { name: 'file' });
  const byKey = callerOf(plane.app, { 'x-api-key': body.api_key });
  const csv = { 'content-type': 'text/csv' };
  const { job } = (await byKey('POST', '/api/v1/jobs/', 'email\njane@wide.example\n', csv)).body;
  const cells = JSON.stringify(['jane@wide.example', 'x'.repeat(8_000)]);
  await db.bulkRow.createMany({
    data: Array.from({ length: ROWS }, (_, i) => ({ jobId: job.id, row: i + 10, cells, address: 0 })),
  });
  let finish = () => {};
  const other = plane.deps.largeWork(
    owner.accountId,
    () => new Promise<void>((resolve) => (finish = resolve)),
    {
      signal: undefined,
    },
  );
  let isAnswered = false;
  const asked = owner
    .call('POST', SUBJECT, { email: 'jane@wide.example' })
    .finally(() => (isAnswered = true));
  await owner.call('GET', '/api/v1/lists/block/');
  t.notOk(isAnswered, 'it waits while the account has other large work');
  finish();
  await other;
  const { text } = await asked;
  const lines = text.split('\n').slice(0, -1);
  t.ok(Math.max(...lines.map((line) => line.length)) <= PIECE_BYTES_MAX, 'no line is the whole file');
  const rows = lines.flatMap((line) => JSON.parse(line).rows ?? []);
  t.equal(rows.length, ROWS + 1);
});

t.test('checks of test keys are in the file, with tag and network', async (t) => {
  const owner = await plane.customer();
  const live = {
    ...checkOf(owner.accountId, 'tess@example.org'),
    tag: 'newsletter',
    ip_network: 'vpn DE 64500',
  };
  const tested = checkOf(owner.accountId, 'tess@example.org');
  await persistChecks(db, [live]);
  await persistTestChecks(db, [tested]);
  const checks = (await linesOf(owner, 'tess@example.org')).filter(({ type }) => type === 'check');
  t.match(
    checks.find(({ id }) => id === live.id),
    { mode: 'live', key_id: 'key_1', tag: 'newsletter', ip_network: 'vpn DE 64500' },
  );
  t.match(
    checks.find(({ id }) => id === tested.id),
    { mode: 'test', tag: null },
  );
});

t.test('text that is not an address is a 400, and the record of the question names no person', async (t) => {
  const owner = await plane.customer();
  t.equal((await owner.call('POST', SUBJECT, { email: 'no address' })).status, 400);
  await linesOf(owner, 'somebody@example.org');
  const records = await db.auditEvent.findMany({
    where: { accountId: owner.accountId, action: 'subject.exported' },
  });
  t.equal(records.length, 1);
  t.notMatch(JSON.stringify(records), /somebody|example\.org/);
});
