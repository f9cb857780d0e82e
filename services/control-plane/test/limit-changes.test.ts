import t from 'tap';
import { PASSWORD, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const LIMIT = 3;
const plane = await startControlPlane(t, stores, { CHANGES_PER_HOUR: LIMIT });
const LIST = '/api/v1/lists/block/';
const entry = (i: number) => ({ value: `limit-${i}.example` });

t.test('an account makes so many changes an hour, and the next one says when to try again', async (t) => {
  const [one, other] = [await plane.customer(), await plane.customer()];
  const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => one.call('POST', LIST, entry(i))));
  const [taken, refused] = [201, 429].map((code) => answers.filter(({ status }) => status === code)) as [
    typeof answers,
    typeof answers,
  ];
  t.equal(taken.length, LIMIT);
  t.equal(refused.length, 3);
  t.match(refused[0]?.body, { code: 'too_many_requests', error: /3 changes an hour/ });
  const wait = Number(refused[0]?.headers['retry-after']);
  t.ok(wait > 3_500 && wait <= 3_600, `Retry-After ${wait}`);
  t.equal((await one.call('GET', LIST)).body.entries.length, LIMIT, 'a refused change changes nothing');

  const renamed = await one.call('PATCH', '/api/v1/auth/users/me/', { name: 'Ann' });
  t.equal(renamed.status, 429, 'one bucket for every route');
  t.equal((await other.call('POST', LIST, entry(1))).status, 201, 'another account has its own');
});

t.test('a user logs in so many times an hour, and copies of personal data count as changes', async (t) => {
  const [one, other] = [await plane.customer(), await plane.customer()];
  const logIn = ({ email }: { readonly email: string }) =>
    plane.call('POST', '/api/v1/auth/jwt/create/', { email, password: PASSWORD });
  for (let i = 1; i < LIMIT; i++) t.equal((await logIn(one)).status, 200);
  const refused = await logIn(one);
  t.match(refused, { status: 429, body: { code: 'too_many_requests', error: /3 logins an hour/ } });
  t.ok(Number(refused.headers['retry-after']) > 3_500);
  t.equal((await logIn(other)).status, 200);
  const records = await stores.db.auditEvent.count({
    where: { accountId: one.accountId, action: 'user.logged_in' },
  });
  t.equal(records, LIMIT);

  for (let i = 0; i < LIMIT; i++) t.equal((await one.call('GET', '/api/v1/dashboard/export/')).status, 200);
  const subject = { email: 'a@example.com' };
  t.equal((await one.call('POST', '/api/v1/dashboard/subject.ndjson', subject)).status, 429);
  t.equal((await one.call('GET', '/api/v1/dashboard/export/')).status, 429);
});

t.test('reading, deleting and trying rules stay possible after the last change', async (t) => {
  const one = await plane.customer();
  const made = [];
  for (let i = 0; i < LIMIT; i++) made.push(await one.call('POST', LIST, entry(i)));
  t.equal((await one.call('POST', LIST, entry(LIMIT))).status, 429);
  t.equal((await one.call('GET', LIST)).status, 200);
  for (const { body } of made) {
    t.equal((await one.call('DELETE', `${LIST}${body.entry.id}/`)).status, 200, 'a deletion is not counted');
  }
  t.equal((await one.call('DELETE', '/api/v1/auth/sessions/')).status, 200);
  const tried = await one.call('POST', '/api/v1/policies/try/', { rules: [], email: 'a@example.com' });
  t.equal(tried.status, 503, 'asks scoring, which this test does not run');
});
