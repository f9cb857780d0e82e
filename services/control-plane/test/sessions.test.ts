import t from 'tap';
import { judgeRefresh } from '../src/auth/judge-refresh.js';
import { createRefreshToken, hashSecret, nextSecret, readRefreshToken } from '../src/auth/refresh-token.js';
import { type Answer, PASSWORD, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const ME = '/api/v1/auth/users/me/';
const CREATE = '/api/v1/auth/jwt/create/';
const REFRESH = '/api/v1/auth/jwt/refresh/';
const LOGOUT = '/api/v1/auth/jwt/logout/';
const SESSIONS = '/api/v1/auth/sessions/';
const SET_PASSWORD = '/api/v1/auth/users/set_password/';

const stores = await startStores(t);
/** Longer than any machine takes for what is to happen within it. */
const REFRESH_GRACE_SECONDS = 3_600;
const plane = await startControlPlane(t, stores, { REFRESH_GRACE_SECONDS });

/** Of the session; a new browser gets another one that it is known by. */
const setCookie = (answer: Answer): string => String([answer.headers['set-cookie'] ?? ''].flat()[0]);
/** The cookies that a browser would send back. */
const cookieOf = (answer: Answer): { cookie: string } => ({ cookie: setCookie(answer).split(';')[0] ?? '' });
const bearer = (answer: Answer) => ({ authorization: `Bearer ${answer.body.access}` });

async function browser() {
  const { email } = await plane.customer();
  const login = await plane.call('POST', CREATE, { email, password: PASSWORD, cookie: true });
  return { email, login };
}

const ageOfRefresh = (access: string, seconds: number) => stores.db.$executeRaw`
  UPDATE sessions SET used_at = now() - make_interval(secs => ${seconds}) WHERE id = ${sessionOf(access)}`;
const sessionOf = (access: string): string =>
  JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()).sid;

t.test('a login with cookie: true keeps the refresh token out of every script’s reach', async (t) => {
  const { login } = await browser();
  t.equal(login.status, 200);
  t.same(Object.keys(login.body).sort(), ['access', 'success']);
  t.match(
    setCookie(login),
    /^verdict_refresh=ses_\w+\.[\w-]{43}; Path=\/api\/v1\/auth\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
  );
});

t.test('over TLS no other host of the domain can set the cookie, and of two none is believed', async (t) => {
  const { email } = await plane.customer();
  const tls = { 'x-forwarded-proto': 'https' };
  const login = await plane.call('POST', CREATE, { email, password: PASSWORD, cookie: true }, tls);
  t.match(
    setCookie(login),
    /^__Host-verdict_refresh=ses_\w+\.[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
  );
  const refresh = (cookie: string) => plane.call('POST', REFRESH, { cookie: true }, { ...tls, cookie });
  const { cookie } = cookieOf(login);
  const planted = cookieOf((await browser()).login).cookie;
  t.match(await refresh(planted), { body: { access: null } }, 'one without the prefix opens no session');
  t.equal((await refresh(`__Host-${planted}; ${cookie}`)).status, 403);
  t.equal((await refresh(`${planted}; ${cookie}`)).status, 200, 'and harms nobody');
});

t.test('a user has fifty live logins, and the one used longest ago ends for the next', async (t) => {
  const owner = await plane.customer();
  for (let i = 0; i < 50; i++) await plane.call('POST', CREATE, { email: owner.email, password: PASSWORD });
  t.equal((await owner.call('GET', ME)).status, 401);
  const last = await plane.call('POST', CREATE, { email: owner.email, password: PASSWORD });
  const { sessions } = (await plane.call('GET', SESSIONS, undefined, bearer(last))).body;
  t.equal(sessions.length, 50);
});

t.test(
  'the cookie refreshes, and it alone: its token does not work in a body, nor a body’s in the cookie',
  async (t) => {
    const { login } = await browser();
    const token = cookieOf(login).cookie.split('=')[1] ?? '';
    t.equal((await plane.call('POST', REFRESH, { refresh: token })).status, 401);
    const next = await plane.call('POST', REFRESH, { cookie: true }, cookieOf(login));
    t.equal(next.status, 200);
    t.same(Object.keys(next.body).sort(), ['access', 'success']);
    t.not(setCookie(next), setCookie(login));
    t.equal((await plane.call('GET', ME, undefined, bearer(next))).status, 200);
    const { refresh } = await plane.customer();
    const mixed = await plane.call(
      'POST',
      REFRESH,
      { cookie: true },
      { cookie: `verdict_refresh=${refresh}` },
    );
    t.equal(mixed.status, 401);
    const none = await plane.call('POST', REFRESH, { cookie: true });
    t.match(none, { status: 200, body: { access: null } }, 'a first visit has no cookie, and fails nothing');
    t.equal((await plane.call('POST', REFRESH, { cookie: true, refresh }, cookieOf(next))).status, 400);
    t.equal((await plane.call('POST', REFRESH, {})).status, 400);
  },
);

t.test('the cookie opens nothing but the authentication routes', async (t) => {
  const { login } = await browser();
  for (const [method, path, body] of [
    ['GET', ME],
    ['GET', SESSIONS],
    ['DELETE', SESSIONS],
    ['GET', '/api/v1/dashboard/keys/'],
    ['POST', '/api/v1/dashboard/keys/', { name: 'k' }],
    ['PUT', '/api/v1/billing/subscription/', { plan: 'scale' }],
  ] as const) {
    t.equal((await plane.call(method, path, body, cookieOf(login))).status, 401, `${method} ${path}`);
  }
});

t.test(
  'eight tabs that refresh at the same moment all get the same token, and none is logged out',
  async (t) => {
    const { login } = await browser();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => plane.call('POST', REFRESH, { cookie: true }, cookieOf(login))),
    );
    t.same(new Set(answers.map(({ status }) => status)), new Set([200]));
    t.equal(new Set(answers.map((answer) => cookieOf(answer).cookie)).size, 1);
    const [first] = answers;
    if (!first) return t.fail('no answer');
    t.equal((await plane.call('POST', REFRESH, { cookie: true }, cookieOf(first))).status, 200);
  },
);

t.test('after the grace a replaced cookie ends the session for whoever holds it', async (t) => {
  const { login } = await browser();
  const next = await plane.call('POST', REFRESH, { cookie: true }, cookieOf(login));
  await ageOfRefresh(next.body.access, REFRESH_GRACE_SECONDS + 1);
  t.equal((await plane.call('POST', REFRESH, { cookie: true }, cookieOf(login))).status, 401);
  t.equal((await plane.call('POST', REFRESH, { cookie: true }, cookieOf(next))).status, 401);
  t.equal((await plane.call('GET', ME, undefined, bearer(next))).status, 401);
});

t.test('even within the grace only the token just replaced is forgiven, not the one before it', async (t) => {
  const { login } = await browser();
  const second = await plane.call('POST', REFRESH, { cookie: true }, cookieOf(login));
  const third = await plane.call('POST', REFRESH, { cookie: true }, cookieOf(second));
  t.equal((await plane.call('POST', REFRESH, { cookie: true }, cookieOf(login))).status, 401);
  t.equal((await plane.call('POST', REFRESH, { cookie: true }, cookieOf(third))).status, 401);
});

t.test('a made-up secret for a known session ends nothing', async (t) => {
  const { refresh, access, call } = await plane.customer();
  const invented = createRefreshToken(sessionOf(access)).token;
  t.equal((await plane.call('POST', REFRESH, { refresh: invented })).status, 401);
  t.equal((await plane.call('POST', LOGOUT, { refresh: invented })).status, 401);
  t.equal((await call('GET', ME)).status, 200);
  t.equal((await plane.call('POST', REFRESH, { refresh })).status, 200);
});

t.test('a token is known for one of its session’s however long ago it was replaced', async (t) => {
  const { token, stored } = createRefreshToken('ses_01ARZ3NDEKTSV4RRFFQ69G5FAV');
  const secrets = [readRefreshToken(token)?.secret ?? ''];
  for (let i = 0; i < 50; i++) secrets.push(nextSecret(stored.chainKey, secrets[i] ?? ''));
  const chain = { ...stored, tokenHash: hashSecret(secrets[50] ?? ''), rotations: 50, inGrace: true };
  t.equal(judgeRefresh(chain, secrets[50] ?? ''), 'current');
  t.equal(judgeRefresh(chain, secrets[49] ?? ''), 'raced');
  t.equal(judgeRefresh({ ...chain, inGrace: false }, secrets[49] ?? ''), 'reused');
  t.equal(judgeRefresh(chain, secrets[48] ?? ''), 'reused');
  t.equal(judgeRefresh(chain, secrets[0] ?? ''), 'reused');
  t.equal(judgeRefresh(chain, nextSecret(stored.chainKey, secrets[50] ?? '')), 'wrong');
  t.equal(judgeRefresh(chain, 'x'.repeat(43)), 'wrong');

  const long = { ...chain, rotations: 1_000_000 };
  const before = process.cpuUsage();
  for (let i = 0; i < 20; i++) judgeRefresh(long, 'x'.repeat(43));
  const { user, system } = process.cpuUsage(before);
  t.ok(
    (user + system) / 20 < 5_000,
    `${(user + system) / 20} us for a wrong one, however old the session is`,
  );
});

t.test(
  'logging out with the cookie takes it away and ends the session, twice without complaint',
  async (t) => {
    const { login } = await browser();
    const out = await plane.call('POST', LOGOUT, { cookie: true }, cookieOf(login));
    t.same(out.body, { success: true });
    t.match(setCookie(out), /^verdict_refresh=; .*Max-Age=0/);
    t.equal((await plane.call('GET', ME, undefined, bearer(login))).status, 401);
    t.equal((await plane.call('POST', REFRESH, { cookie: true }, cookieOf(login))).status, 401);
    t.equal((await plane.call('POST', LOGOUT, { cookie: true }, cookieOf(login))).status, 200);
  },
);

t.test('a login has an end however often it is refreshed', async (t) => {
  const short = await startControlPlane(t, stores, { SESSION_SECONDS: 7_200 });
  const { refresh, access } = await short.customer();
  await stores.db.$executeRaw`
    UPDATE sessions SET created_at = now() - interval '1 hour' WHERE id = ${sessionOf(access)}`;
  t.equal((await short.call('POST', REFRESH, { refresh })).status, 200);
  const [{ left } = { left: 0 }] = await stores.db.$queryRaw<{ left: number }[]>`
    SELECT extract(epoch FROM expires_at - now())::float8 AS left FROM sessions WHERE id = ${sessionOf(access)}`;
  t.ok(left > 0 && left <= 3_600, `${left} seconds are left`);
});

t.test('logins are listed with where they came from, and each can be ended from another', async (t) => {
  const { email, access, call } = await plane.customer();
  const from = { 'x-forwarded-for': '198.51.100.4', 'user-agent': 'Lynx/2.9' };
  const other = await plane.call('POST', CREATE, { email, password: PASSWORD }, from);
  await plane.call('POST', CREATE, { email, password: PASSWORD, cookie: true });
  const { sessions } = (await call('GET', SESSIONS)).body;
  t.equal(sessions.length, 3);
  const shown = sessions.find(({ ip }: { ip: string }) => ip === '198.51.100.4');
  t.match(shown, { user_agent: 'Lynx/2.9', current: false });
  t.equal(sessions.find(({ current }: { current: boolean }) => current).id, sessionOf(access));
  t.notMatch(JSON.stringify(sessions), /token|hash|chain/);

  t.equal((await call('DELETE', `${SESSIONS}${shown.id}/`)).status, 200);
  t.equal((await plane.call('GET', ME, undefined, bearer(other))).status, 401, 'at once');
  t.equal((await call('DELETE', `${SESSIONS}${shown.id}/`)).status, 404);
  t.match((await call('DELETE', SESSIONS)).body, { ended: 1 });
  t.equal((await call('GET', SESSIONS)).body.sessions.length, 1);
  t.equal((await call('GET', ME)).status, 200);
  const events = (await call('GET', '/api/v1/dashboard/audit/')).body.events;
  const actions = events.map(({ action }: { action: string }) => action);
  t.ok(actions.includes('session.ended') && actions.includes('session.others_ended'));
});

t.test('a new password replaces the refresh token of the session it was set from', async (t) => {
  const body = { current_password: PASSWORD, new_password: 'harbour-lantern-77' };
  const { refresh, call } = await plane.customer();
  const set = await call('POST', SET_PASSWORD, body);
  t.equal(
    (await plane.call('POST', REFRESH, { refresh })).status,
    401,
    'whoever copied the old one has nothing',
  );
  t.equal((await plane.call('POST', REFRESH, { refresh: set.body.refresh })).status, 200);

  const { login } = await browser();
  const byCookie = await plane.call('POST', SET_PASSWORD, body, bearer(login));
  t.same(byCookie.body, { success: true });
  t.equal((await plane.call('POST', REFRESH, { cookie: true }, cookieOf(login))).status, 401);
  t.equal((await plane.call('POST', REFRESH, { cookie: true }, cookieOf(byCookie))).status, 200);
});

t.test(
  'the settings say who may register, who changes plans and how operators log in, to anybody',
  async (t) => {
    const closed = await startControlPlane(t, stores, { SIGNUP: 'closed', PLAN_CHANGES: 'operator' });
    const path = '/api/v1/auth/settings/';
    t.same((await plane.call('GET', path)).body, {
      success: true,
      signup: 'open',
      mail: false,
      plan_changes: 'self',
      operator_sso: false,
    });
    t.same((await closed.call('GET', path)).body, {
      success: true,
      signup: 'closed',
      mail: false,
      plan_changes: 'operator',
      operator_sso: false,
    });
  },
);
