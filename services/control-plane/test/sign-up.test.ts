import { randomBytes } from 'node:crypto';
import t from 'tap';
import { callerOf, PASSWORD, startControlPlane } from './support/control-plane.js';
import { startScoringReplica } from './support/scoring-replica.js';
import { startStores } from './support/stores.js';

const USERS = '/api/v1/auth/users/';
/** Knows one disposable domain. */
const { url: SCORING_URLS } = await startScoringReplica(t, (email) => ({
  signals: { disposable_email: email.endsWith('@mailinator.com'), mx_valid: true, free_provider: false },
}));

const stores = await startStores(t);
const plane = await startControlPlane(t, stores, { SIGNUP_CHECKS: 'on', SCORING_URLS });
const name = () => randomBytes(6).toString('hex');
const register = (email: string) => plane.call('POST', USERS, { email, password: PASSWORD });

t.test('spellings of one mailbox are one account', async (t) => {
  const own = name();
  t.equal((await register(`${own}@gmail.com`)).status, 201);
  const dotted = `${own.slice(0, 3)}.${own.slice(3)}@gmail.com`;
  for (const email of [`${own}+a@gmail.com`, dotted, `${own}@googlemail.com`])
    t.match(await register(email), { status: 400, body: { error: /is already registered/ } }, email);
  t.equal((await register(`${name()}@gmail.com`)).status, 201, 'another mailbox');
});

t.test('a disposable address cannot register, nor become the address of a user', async (t) => {
  const refusal = { status: 400, body: { code: 'invalid_request', error: /disposable/ } };
  t.match(await register(`${name()}@mailinator.com`), refusal);
  const owner = await plane.customer();
  const change = (email: string) =>
    owner.call('POST', '/api/v1/auth/users/me/email/', { email, current_password: PASSWORD });
  t.match(await change(`${name()}@mailinator.com`), refusal);
  const taken = name();
  t.equal((await register(`${taken}@gmail.com`)).status, 201);
  t.match(await change(`${taken}+x@gmail.com`), { status: 400 });
});

t.test(
  'a sign-up does not wait for scoring that is away, and an operator may turn the checks off',
  async (t) => {
    const alone = await startControlPlane(t, stores, { SIGNUP_CHECKS: 'on', SCORING_DEADLINE_MS: 500 });
    const email = `${name()}@mailinator.com`;
    t.equal((await alone.call('POST', USERS, { email, password: PASSWORD })).status, 201);
    const open = await startControlPlane(t, stores, { SIGNUP_CHECKS: 'off', SCORING_URLS });
    for (const one of [`${name()}@mailinator.com`, `${email.split('@')[0]}+x@mailinator.com`])
      t.equal((await open.call('POST', USERS, { email: one, password: PASSWORD })).status, 201, one);
  },
);

t.test('where mail is sent, lists, policies and files wait for a confirmed address', async (t) => {
  const { email } = await plane.customer();
  const mailing = await startControlPlane(t, stores, {
    SMTP_URL: 'smtp://127.0.0.1:9',
    SECRETS_KEY: randomBytes(32).toString('base64url'),
  });
  const login = await mailing.call('POST', '/api/v1/auth/jwt/create/', { email, password: PASSWORD });
  const call = callerOf(mailing.app, { authorization: `Bearer ${login.body.access}` });
  const changes = [
    () => call('POST', '/api/v1/lists/block/', { value: 'example.com' }),
    () => call('POST', '/api/v1/policies/', { rules: [] }),
    () => call('POST', '/api/v1/jobs/', 'email\na@gmail.com\n', { 'content-type': 'text/csv' }),
  ];
  for (const change of changes)
    t.match(await change(), { status: 403, body: { code: 'forbidden', error: /^Confirm your email/ } });
  t.equal((await call('GET', '/api/v1/lists/block/')).status, 200, 'reading is free');
  await mailing.deps.db.user.updateMany({ where: { email }, data: { emailVerifiedAt: new Date() } });
  for (const change of changes) t.not((await change()).status, 403);
});
