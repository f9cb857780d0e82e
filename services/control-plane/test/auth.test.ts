import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { deleteEndedSessions } from '@verdict/db/people/sessions.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import { passwordFault } from '../src/auth/password-fault.js';
import { PASSWORD, startControlPlane, testKeys } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const USERS = '/api/v1/auth/users/';
const ME = '/api/v1/auth/users/me/';
const CREATE = '/api/v1/auth/jwt/create/';
const REFRESH = '/api/v1/auth/jwt/refresh/';
const VERIFY = '/api/v1/auth/jwt/verify/';
const LOGOUT = '/api/v1/auth/jwt/logout/';
const SET_PASSWORD = '/api/v1/auth/users/set_password/';

const stores = await startStores(t);
const keys = testKeys('current');
const plane = await startControlPlane(t, stores, {
  JWT_SIGNING_KEY: keys.signing,
  JWT_PUBLIC_KEYS: keys.jwks,
});

let made = 0;
const freshEmail = () => `user${made++}.${Date.now()}@example.com`;
const from = (ip: string) => ({ 'x-forwarded-for': ip });

t.test('registration makes a user and an account on the free plan, and hashes the password', async (t) => {
  const email = freshEmail();
  const answer = await plane.call('POST', USERS, {
    email: ` ${email.toUpperCase()} `,
    password: PASSWORD,
    name: 'Ada',
  });
  t.equal(answer.status, 201);
  t.match(answer.body, {
    success: true,
    user: { id: /^usr_/, email, name: 'Ada' },
    account: { plan: 'free' },
  });
  const stored = await stores.db.user.findUniqueOrThrow({ where: { email } });
  t.match(stored.passwordHash, /^\$argon2id\$/);
});

t.test('registration names what is wrong and changes nothing', async (t) => {
  const email = freshEmail();
  await plane.call('POST', USERS, { email, password: PASSWORD });
  const before = await stores.db.account.count();
  const cases: [unknown, RegExp][] = [
    [{ email, password: PASSWORD }, /^email: is already registered/],
    [{ email: email.toUpperCase(), password: PASSWORD }, /^email: is already registered/],
    [{ email: 'not an address', password: PASSWORD }, /^email: /],
    [{ email: freshEmail(), password: 'short' }, /^password: /],
    [{ email: freshEmail(), password: 'Password123!' }, /^password: is too common/],
    [{ email: freshEmail(), password: 'x'.repeat(129) }, /^password: /],
    [{ email: freshEmail() }, /^password: is required/],
    [{ password: PASSWORD }, /^email: is required/],
    [{ email: 7, password: PASSWORD }, /^email: /],
    [{ email: null, password: PASSWORD }, /^email: /],
    [{ email: freshEmail(), password: PASSWORD, plan: 'scale' }, /^plan: is not a known field/],
    [{ email: freshEmail(), password: PASSWORD, name: 'a\u0000b' }, /^name: /],
    [{ email: freshEmail(), password: PASSWORD, name: '\ud800' }, /^name: /],
    [[], /./],
  ];
  for (const [body, error] of cases) {
    const answer = await plane.call('POST', USERS, body);
    t.equal(answer.status, 400, JSON.stringify(body));
    t.match(answer.body.error, error);
  }
  t.equal((await plane.call('POST', USERS, '{', { 'content-type': 'application/json' })).status, 400);
  t.equal((await plane.call('POST', USERS, 'x=1', { 'content-type': 'text/plain' })).status, 415);
  t.equal(await stores.db.account.count(), before);
});

t.test('twenty simultaneous registrations of one address make one user and one account', async (t) => {
  const email = freshEmail();
  const before = await stores.db.account.count();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => plane.call('POST', USERS, { email, password: PASSWORD })),
  );
  t.equal(answers.filter(({ status }) => status === 201).length, 1);
  t.equal(answers.filter(({ status }) => status === 400).length, 19);
  t.equal(await stores.db.account.count(), before + 1);
});

t.test('common passwords are recognised behind digits, signs and swapped letters', async (t) => {
  const weak = [
    'P@ssw0rd2026',
    'qwertyuiop12',
    '1234567890',
    'aaaaaaaaaaab',
    'Welcome!!2026',
    'jane.doe1987',
    'zyxwvutsrq',
  ];
  for (const password of weak) t.ok(passwordFault(password, 'jane.doe@example.com'), password);
  for (const password of [PASSWORD, 'tTq8!vv-lamp', 'drei kleine Igel']) {
    t.equal(passwordFault(password, 'jane.doe@example.com'), undefined, password);
  }
});

t.test('a wrong password, an unknown user and a text that is no address get the same answer', async (t) => {
  const { email } = await plane.customer();
  const wrong = await plane.call('POST', CREATE, { email, password: 'wrong password' });
  const unknown = await plane.call('POST', CREATE, { email: freshEmail(), password: 'wrong password' });
  const nonsense = await plane.call('POST', CREATE, { email: 'nonsense', password: 'wrong password' });
  t.equal(wrong.status, 401);
  t.same([unknown.status, unknown.body], [wrong.status, wrong.body]);
  t.same([nonsense.status, nonsense.body], [wrong.status, wrong.body]);
});

t.test('after ten failures strangers wait, but the owner still logs in from a known address', async (t) => {
  const { email } = await plane.customer();
  const good = { email, password: PASSWORD };
  t.equal((await plane.call('POST', CREATE, good, from('198.51.100.1'))).status, 200);
  const guesses = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      plane.call('POST', CREATE, { email, password: `guess ${i}` }, from(`203.0.113.${i + 20}`)),
    ),
  );
  t.equal(guesses.filter(({ status }) => status === 401).length, 10, 'from thirty addresses, all at once');
  const limited = guesses.find(({ status }) => status === 429);
  t.ok(Number(limited?.headers['retry-after']) > 0);
  t.equal((await plane.call('POST', CREATE, good, from('203.0.113.90'))).status, 429);
  t.equal((await plane.call('POST', CREATE, good, from('198.51.100.1'))).status, 200);
});

t.test('one address may fail so many times, whoever it pretends to be', async (t) => {
  const strict = await startControlPlane(t, stores, { LOGIN_FAILURES_PER_ADDRESS: 12 });
  const tries = await Promise.all(
    Array.from({ length: 20 }, () =>
      strict.call('POST', CREATE, { email: freshEmail(), password: 'a guess' }, from('192.0.2.77')),
    ),
  );
  t.equal(tries.filter(({ status }) => status === 401).length, 12);
  t.equal(tries.filter(({ status }) => status === 429).length, 8);
});

t.test('good logins do not use up anything', async (t) => {
  const { email } = await plane.customer();
  for (let i = 0; i < 15; i++) {
    t.equal(
      (await plane.call('POST', CREATE, { email, password: PASSWORD }, from('198.51.100.7'))).status,
      200,
    );
  }
});

t.test('refresh tokens rotate, and using an old one ends the session for everybody', async (t) => {
  const { refresh, access, call } = await plane.customer();
  const second = await plane.call('POST', REFRESH, { refresh });
  t.equal(second.status, 200);
  t.not(second.body.refresh, refresh);
  t.equal((await call('GET', ME)).status, 200, 'the first access token lives on');
  t.equal((await plane.call('POST', REFRESH, { refresh })).status, 401, 'the old one is refused');
  t.equal(
    (await plane.call('POST', REFRESH, { refresh: second.body.refresh })).status,
    401,
    'and so is the new one',
  );
  t.equal((await call('GET', ME)).status, 401);
  t.equal((await plane.call('POST', VERIFY, { token: access })).status, 401);
});

t.test('of twenty simultaneous refreshes with one token at most one succeeds', async (t) => {
  const { refresh } = await plane.customer();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => plane.call('POST', REFRESH, { refresh })),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  t.equal(answers.filter(({ status }) => status === 401).length, 19);
});

t.test('logging out ends the session at once; nonsense tokens are 401', async (t) => {
  const { refresh, access, call } = await plane.customer();
  t.same((await plane.call('POST', VERIFY, { token: access })).body, { success: true });
  t.same((await plane.call('POST', LOGOUT, { refresh })).body, { success: true });
  t.equal((await call('GET', ME)).status, 401);
  t.equal((await plane.call('POST', LOGOUT, { refresh })).status, 401);
  for (const token of ['x', `${refresh}x`, 'ses_01ARZ3NDEKTSV4RRFFQ69G5FAV.abc', '\u0000', access]) {
    t.equal((await plane.call('POST', REFRESH, { refresh: token })).status, 401);
    t.equal((await plane.call('POST', LOGOUT, { refresh: token })).status, 401);
  }
});

t.test('sessions that ended a month ago are deleted, live ones are not', async (t) => {
  const { userId, call } = await plane.customer();
  const past = new Date(Date.now() - 31 * 86_400_000);
  const soon = new Date(Date.now() + 86_400_000);
  const session = (id: string, expiresAt: Date, revokedAt: Date | null) => ({
    id,
    userId,
    tokenHash: 'x',
    chainKey: 'x',
    expiresAt,
    revokedAt,
  });
  await stores.db.session.createMany({
    data: [
      session('ses_expired', past, null),
      session('ses_revoked', soon, past),
      session('ses_recent', soon, new Date()),
    ],
  });
  t.equal(await deleteEndedSessions(stores.db), 2);
  t.equal(await stores.db.session.count({ where: { userId } }), 2);
  t.equal((await call('GET', ME)).status, 200);
});

t.test('a new password ends all other sessions', async (t) => {
  const { email, call } = await plane.customer();
  const other = (await plane.call('POST', CREATE, { email, password: PASSWORD })).body;
  const next = 'harbour-lantern-77';
  const wrong = await call('POST', SET_PASSWORD, { current_password: 'not it', new_password: next });
  t.equal(wrong.status, 400);
  t.match(wrong.body.error, /^current_password: /);
  const weak = await call('POST', SET_PASSWORD, { current_password: PASSWORD, new_password: 'password1234' });
  t.match(weak.body.error, /^new_password: /);
  t.equal((await call('POST', SET_PASSWORD, { current_password: PASSWORD, new_password: next })).status, 200);
  t.equal((await call('GET', ME)).status, 200, 'the session it was set from stays');
  t.equal((await plane.call('GET', ME, undefined, { authorization: `Bearer ${other.access}` })).status, 401);
  t.equal((await plane.call('POST', REFRESH, { refresh: other.refresh })).status, 401);
  t.equal((await plane.call('POST', CREATE, { email, password: PASSWORD })).status, 401);
  t.equal((await plane.call('POST', CREATE, { email, password: next })).status, 200);
});

t.test('every token but a good one is a 401, never a 500', async (t) => {
  const { access, refresh, userId, accountId } = await plane.customer();
  const session = JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString());
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    sub: userId,
    acc: accountId,
    sid: session.sid,
    typ: 'access',
    iss: 'verdict',
    aud: 'verdict-api',
    iat: now,
    exp: now + 3_600,
  };
  const head = { alg: 'EdDSA', typ: 'JWT', kid: 'current' };
  const privateKey = createPrivateKey({ key: JSON.parse(keys.signing), format: 'jwk' });
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const ours = (header: object, payload: unknown) => {
    const text = `${encode(header)}.${encode(payload)}`;
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
  };
  const without = (name: string) =>
    Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
  const hmac = (alg: string, digest: string) => {
    const text = `${encode({ ...head, alg })}.${encode(claims)}`;
    const secret = JSON.stringify(keys.publicJwk);
    return `${text}.${createHmac(digest, secret).update(text).digest('base64url')}`;
  };
  const rsa = () => {
    const { privateKey: rsaKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const text = `${encode({ ...head, alg: 'RS256' })}.${encode(claims)}`;
    return `${text}.${sign('sha256', Buffer.from(text), rsaKey).toString('base64url')}`;
  };
  const table: Record<string, string> = {
    'no algorithm': `${encode({ ...head, alg: 'none' })}.${encode(claims)}.`,
    'HS256 with the public key': hmac('HS256', 'sha256'),
    'HS512 with the public key': hmac('HS512', 'sha512'),
    RS256: rsa(),
    'unknown kid': ours({ ...head, kid: 'other' }, claims),
    'no kid': ours({ alg: 'EdDSA', typ: 'JWT' }, claims),
    'kid that is a number': ours({ ...head, kid: 7 }, claims),
    crit: ours({ ...head, crit: ['exp'] }, claims),
    ...Object.fromEntries(Object.keys(claims).map((name) => [`no ${name}`, ours(head, without(name))])),
    expired: ours(head, { ...claims, exp: now - 1 }),
    'exp as text': ours(head, { ...claims, exp: 'tomorrow' }),
    'not yet valid': ours(head, { ...claims, nbf: now + 3_600 }),
    'another issuer': ours(head, { ...claims, iss: 'somebody' }),
    'another audience': ours(head, { ...claims, aud: 'somewhere' }),
    'another type': ours(head, { ...claims, typ: 'refresh' }),
    'another account': ours(head, { ...claims, acc: 'acc_other' }),
    'another session': ours(head, { ...claims, sid: 'ses_other' }),
    'claims of the wrong type': ours(head, { ...claims, sub: 1, sid: { a: 1 } }),
    'session with a null byte': ours(head, { ...claims, sid: '\u0000' }),
    'null payload': ours(head, null),
    'text payload': ours(head, 'hello'),
    'changed payload': access.replace(/\.[^.]+\./, `.${encode({ ...claims, acc: 'acc_other' })}.`),
    'cut signature': access.slice(0, -4),
    'a refresh token': refresh,
    'an API key': `vrd_live_${'a'.repeat(38)}`,
    empty: '',
    dots: '..',
    'two words': `${access} ${access}`,
  };
  for (const [name, token] of Object.entries(table)) {
    const answer = await plane.call('GET', ME, undefined, { authorization: `Bearer ${token}` });
    t.equal(answer.status, 401, name);
    t.ok(answer.body.error, name);
    if (token !== '')
      t.equal((await plane.call('POST', VERIFY, { token })).status, 401, `${name}, in a body`);
  }
  for (const authorization of ['', access, `Basic ${access}`, `bearer`]) {
    t.equal((await plane.call('GET', ME, undefined, { authorization })).status, 401);
  }
  t.equal((await plane.call('GET', ME)).status, 401, 'no header at all');
  t.equal(
    (await plane.call('GET', ME, undefined, { authorization: `Bearer ${ours(head, claims)}` })).status,
    200,
  );
});

t.test('while a key is rotated tokens of both are good; a retired one is not', async (t) => {
  const { access } = await plane.customer();
  const next = testKeys('next');
  const both = JSON.stringify({ keys: [keys.publicJwk, next.publicJwk] });
  const rotating = await startControlPlane(t, stores, {
    JWT_SIGNING_KEY: next.signing,
    JWT_PUBLIC_KEYS: both,
  });
  const authorization = `Bearer ${access}`;
  t.equal((await rotating.call('GET', ME, undefined, { authorization })).status, 200);
  const { call } = await rotating.customer();
  t.equal((await call('GET', ME)).status, 200);
  const rotated = await startControlPlane(t, stores, {
    JWT_SIGNING_KEY: next.signing,
    JWT_PUBLIC_KEYS: next.jwks,
  });
  t.equal((await rotated.call('GET', ME, undefined, { authorization })).status, 401);
});

t.test('registration can be closed', async (t) => {
  const closed = await startControlPlane(t, stores, { SIGNUP: 'closed' });
  const answer = await closed.call('POST', USERS, { email: freshEmail(), password: PASSWORD });
  t.equal(answer.status, 403);
  t.ok(answer.body.error);
});

t.test('new accounts are limited by client address', async (t) => {
  const limited = await startControlPlane(t, stores, { REGISTRATIONS_PER_HOUR: 3 });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      limited.call('POST', USERS, { email: freshEmail(), password: PASSWORD }, from('192.0.2.210')),
    ),
  );
  t.equal(answers.filter(({ status }) => status === 201).length, 3);
  t.equal(answers.filter(({ status }) => status === 429).length, 3);
});

t.test('every answer carries a request id, the client’s own when it is harmless', async (t) => {
  t.match((await plane.call('GET', ME)).headers['x-request-id'], /^req_[0-9A-Z]{26}$/);
  const kept = await plane.call('GET', ME, undefined, { 'x-request-id': 'abc-123' });
  t.equal(kept.headers['x-request-id'], 'abc-123');
  const replaced = await plane.call('GET', ME, undefined, { 'x-request-id': 'a b' });
  t.match(replaced.headers['x-request-id'], /^req_/);
});

t.test('unknown addresses are 404, wrong methods 405, with or without the slash', async (t) => {
  const { call } = await plane.customer();
  t.equal((await call('GET', ME.slice(0, -1))).status, 200);
  const missing = await call('GET', '/api/v1/dashboard/nothing/');
  t.equal(missing.status, 404);
  t.ok(missing.body.error);
  for (const path of [ME, ME.slice(0, -1), '/api/v1/dashboard/keys/key_x/', '/api/v1/dashboard/keys/key_x']) {
    const wrong = await call('PUT', path);
    t.equal(wrong.status, 405, path);
    t.match(wrong.headers.allow, /GET/);
    t.ok(wrong.body.error);
  }
});

t.test('without Redis a login is a 503, and works again when it is back', async (t) => {
  const logIn = () => plane.call('POST', CREATE, { email: 'a@b.example', password: 'x' });
  await stores.server.kill();
  const answer = await logIn();
  t.equal(answer.status, 503);
  t.ok(answer.body.error);
  await stores.server.restart();
  await eventually(async () => (await logIn()).status === 401);
});
