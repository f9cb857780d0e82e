import { randomBytes } from 'node:crypto';
import t from 'tap';
import { type Customer, PASSWORD, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores, { SECRETS_KEY: randomBytes(32).toString('base64url') });

const suspend = ({ accountId }: Customer) =>
  stores.db.account.update({ where: { id: accountId }, data: { suspendedAt: new Date() } });

t.test('the people of a suspended account read and log out, and nothing else', async (t) => {
  const one = await plane.customer();
  await suspend(one);
  for (const path of [
    'auth/users/me/',
    'dashboard/keys/',
    'dashboard/logs/',
    'billing/subscription/',
    'jobs/',
  ]) {
    t.equal((await one.call('GET', `/api/v1/${path}`)).status, 200, path);
  }
  for (const [method, path, body] of [
    ['POST', 'dashboard/keys/', { name: 'new' }],
    ['POST', 'lists/block/', { value: 'example.com' }],
    ['PUT', 'billing/subscription/', { plan: 'starter' }],
    ['POST', 'webhooks/endpoints/', { url: 'https://example.com/hook' }],
    ['POST', 'dashboard/hooks/', { kind: 'generic', key_id: 'key_0' }],
    [
      'POST',
      'auth/users/set_password/',
      { current_password: PASSWORD, new_password: 'another-otter-7-hill' },
    ],
  ] as const) {
    t.match(
      await one.call(method, `/api/v1/${path}`, body),
      { status: 403, body: { code: 'account_suspended' } },
      path,
    );
  }
  const upload = await one.call('POST', '/api/v1/jobs/', 'email\na@b.com\n', { 'content-type': 'text/csv' });
  t.match(upload, { status: 403, body: { code: 'account_suspended' } });
  const login = await plane.call('POST', '/api/v1/auth/jwt/create/', {
    email: one.email,
    password: PASSWORD,
  });
  t.equal(login.status, 200);
  t.equal((await one.call('DELETE', '/api/v1/auth/sessions/')).status, 200);
  const out = await plane.call('POST', '/api/v1/auth/jwt/logout/', { refresh: one.refresh });
  t.equal(out.status, 200);
});

t.test('an operator who is suspended, or has no second factor, is none', async (t) => {
  const one = await plane.customer();
  const ask = async () => (await one.call('GET', '/api/v1/operator/accounts/')).status;
  await stores.db.user.update({ where: { id: one.userId }, data: { operator: true } });
  t.match(await one.call('GET', '/api/v1/operator/accounts/'), {
    status: 403,
    body: { error: /two-factor/ },
  });
  await stores.db.secondFactor.create({
    data: { userId: one.userId, sealed: 'x', confirmedAt: new Date() },
  });
  t.equal(await ask(), 403, 'this login showed no code');
  await stores.db.session.updateMany({ where: { userId: one.userId }, data: { secondFactor: true } });
  t.equal(await ask(), 200);
  await suspend(one);
  t.equal(await ask(), 403);
});
