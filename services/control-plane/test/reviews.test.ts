import { randomBytes } from 'node:crypto';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { eraseSubjects } from '@verdict/db/erasure/erase-subject.js';
import { forgetOldReviews } from '@verdict/db/outcomes/outcome-retention.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import t from 'tap';
import { rowOf } from './support/check-rows.js';
import { type Customer, callerOf, PASSWORD, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores, { SECRETS_KEY: randomBytes(32).toString('base64url') });
const { db } = stores;
const REVIEW = '/api/v1/dashboard/review/';
const OUTCOMES = '/api/v1/outcomes/';
const hashOf = (email: string) => hashEmail(plane.deps.config.EMAIL_HASH_SECRET, email);

/** Another login of the same person: a second analyst at a second desk. */
async function analyst({ email }: Customer) {
  const { access } = (await plane.call('POST', '/api/v1/auth/jwt/create/', { email, password: PASSWORD }))
    .body;
  return callerOf(plane.app, { authorization: `Bearer ${access}` });
}

const checkOf = (accountId: string, email: string, decision = 'review', key = 'key_1') => {
  const row = rowOf(accountId, key);
  return {
    ...row,
    email,
    domain: email.slice(email.indexOf('@') + 1),
    email_hash: hashOf(email),
    verdict: { ...row.verdict, decision, risk_score: 60, reasons: ['Something odd'] },
  };
};

/** Checks a moment apart, so that their order is certain. */
async function queued(accountId: string, ...emails: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const email of emails) {
    const check = checkOf(accountId, email);
    await persistChecks(db, [check]);
    ids.push(check.id);
  }
  return ids;
}

const listed = async (call: Customer['call']) => (await call('GET', REVIEW)).body;
const idsOf = (body: { reviews: { id: string }[] }) => body.reviews.map(({ id }) => id);
const tellOf = async (accountId: string, type: string) =>
  (await db.webhookEvent.findMany({ where: { accountId, type } })).map(({ data }) => data);

t.test('checks decided review wait, oldest first, until somebody says how they turned out', async (t) => {
  const owner = await plane.customer();
  const [one, two, three] = await queued(owner.accountId, 'a@example.org', 'b@example.org', 'c@example.org');
  await persistChecks(db, [checkOf(owner.accountId, 'd@example.org', 'challenge')]);
  const body = await listed(owner.call);
  t.strictSame(idsOf(body), [one, two, three]);
  t.match(body, {
    waiting: 3,
    reviews: [{ email: 'a@example.org', risk_score: 60, reason: 'Something odd', claim: 'none' }],
  });
  const page = (await owner.call('GET', `${REVIEW}?limit=2`)).body;
  t.strictSame(idsOf(page), [one, two]);
  t.strictSame(idsOf((await owner.call('GET', `${REVIEW}?limit=2&cursor=${page.next_cursor}`)).body), [
    three,
  ]);
  await owner.call('POST', OUTCOMES, { items: [{ id: two, outcome: 'abuse' }] });
  await owner.call('POST', OUTCOMES, { items: [{ email: 'C@example.org', outcome: 'genuine' }] });
  t.strictSame(idsOf(await listed(owner.call)), [one], 'an outcome of the check or of its address');
  t.equal(await db.review.count({ where: { accountId: owner.accountId } }), 1);
});

t.test(
  'a check that has its outcome before it is stored, and one stored twice, wait once or never',
  async (t) => {
    const owner = await plane.customer();
    const early = checkOf(owner.accountId, 'early@example.org');
    await owner.call('POST', OUTCOMES, { items: [{ id: early.id, outcome: 'genuine' }] });
    const twice = checkOf(owner.accountId, 'twice@example.org');
    await persistChecks(db, [early, twice]);
    await persistChecks(db, [early, twice]);
    t.strictSame(idsOf(await listed(owner.call)), [twice.id]);
  },
);

t.test('two analysts never get the same check', async (t) => {
  const owner = await plane.customer();
  const ids = await queued(owner.accountId, ...Array.from({ length: 6 }, (_, n) => `p${n}@example.org`));
  const desks = await Promise.all([analyst(owner), analyst(owner), analyst(owner)]);
  const claim = async (call: Customer['call'], id?: string) =>
    call('POST', `${REVIEW}claim/`, id === undefined ? {} : { id });
  const firsts = (await Promise.all(desks.map((call) => claim(call)))).map(({ body }) => body.id);
  t.equal(new Set(firsts).size, 3, 'also when they ask at the same moment');
  t.strictSame([...firsts].sort(), ids.slice(0, 3).sort(), 'the oldest ones');
  const [ann, bob] = desks;
  if (!ann || !bob) throw new Error('two analysts');
  t.match(await claim(bob, firsts[0]), { status: 409, body: { code: 'review_taken' } });
  t.equal((await claim(ann)).body.id, firsts[0], 'an analyst who comes back finds their own');
  const held = (await listed(ann)).reviews.map(({ claim: by }: { claim: string }) => by);
  t.strictSame(held.filter((by: string) => by === 'own').length, 1);
  t.strictSame(held.filter((by: string) => by === 'other').length, 2);
  t.match(await bob('POST', `${REVIEW}${firsts[0]}/decide/`, { outcome: 'abuse' }), { status: 409 });
  t.match(await claim(ann, ids[5]), { status: 200, body: { id: ids[5] } });
  t.match(
    await claim(bob, firsts[0]),
    { status: 200 },
    'who turns to another check gives the first one back',
  );
  await db.$executeRaw`UPDATE reviews SET leased_until = now() - interval '1 second' WHERE id = ${ids[5]}`;
  t.match(await claim(bob, ids[5]), { status: 200 }, 'a claim ends with its lease');
  t.match(
    await ann('POST', `${REVIEW}${ids[5]}/decide/`, { outcome: 'abuse' }),
    { status: 409 },
    'and its holder has no say any more',
  );
});

t.test('a decision is an outcome, sent once even when two analysts decide at once', async (t) => {
  const owner = await plane.customer();
  await owner.call('POST', '/api/v1/webhooks/endpoints/', {
    url: 'https://example.com/',
    events: ['review.opened', 'review.decided'],
  });
  const [id = ''] = await queued(owner.accountId, 'jane@example.org');
  t.match(await tellOf(owner.accountId, 'review.opened'), [{ log_id: id, key_id: 'key_1' }]);
  const decide = () => owner.call('POST', `${REVIEW}${id}/decide/`, { outcome: 'abuse', note: 'bot' });
  t.match(await decide(), { status: 409 }, 'not before it is claimed');
  await owner.call('POST', `${REVIEW}claim/`, { id });
  const statuses = (await Promise.all([decide(), decide()])).map(({ status }) => status).sort();
  t.strictSame(statuses, [200, 404]);
  t.match((await owner.call('GET', `/api/v1/dashboard/logs/${id}/`)).body.log, {
    outcome: 'abuse',
    decision: 'review',
    outcomes: [{ outcome: 'abuse', note: 'bot', by: owner.userId }],
  });
  t.match(await tellOf(owner.accountId, 'review.decided'), [
    { log_id: id, key_id: 'key_1', outcome: 'abuse' },
  ]);
  t.equal((await tellOf(owner.accountId, 'review.decided')).length, 1);
  t.match(await decide(), { status: 404 });
});

t.test('only endpoints that ask for reviews get them', async (t) => {
  const owner = await plane.customer();
  await owner.call('POST', '/api/v1/webhooks/endpoints/', { url: 'https://example.com/' });
  const [id = ''] = await queued(owner.accountId, 'quiet@example.org');
  await owner.call('POST', OUTCOMES, { items: [{ id, outcome: 'abuse' }] });
  t.strictSame(await tellOf(owner.accountId, 'review.opened'), []);
  t.strictSame(await tellOf(owner.accountId, 'review.decided'), []);
});

t.test('a person who was erased, or whose address has aged out, leaves the queue', async (t) => {
  const owner = await plane.customer();
  const [erased = '', aged = '', kept = ''] = await queued(
    owner.accountId,
    'e@example.org',
    'f@example.org',
    'g@example.org',
  );
  await eraseSubjects(db, [hashOf('e@example.org')]);
  t.strictSame(idsOf(await listed(owner.call)), [aged, kept]);
  t.equal(await db.review.count({ where: { id: erased } }), 0);
  await db.$executeRaw`DELETE FROM check_subjects WHERE id = ${aged}`;
  await forgetOldReviews(db);
  t.strictSame(idsOf(await listed(owner.call)), [kept]);
});
