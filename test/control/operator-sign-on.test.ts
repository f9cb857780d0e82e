import { randomBytes } from 'node:crypto';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { openBrowser } from '../harness/open-browser.js';
import { CLIENT, type Claims, startIdentityProvider } from '../harness/start-identity-provider.js';

// The people who run the server log in with its own identity provider, and their groups say what they may do.

const idp = await startIdentityProvider('http://127.0.0.1/sso');
t.teardown(() => idp.stop());
const stack = await startStack({
  env: {
    'control-plane': {
      OPERATOR_SSO_ISSUER: idp.issuer,
      OPERATOR_SSO_CLIENT_ID: CLIENT.id,
      OPERATOR_SSO_CLIENT_SECRET: CLIENT.secret,
      OPERATOR_SSO_GROUPS: 'support=helpdesk,finance=accounting,admin=verdict-admins',
    },
  },
});
t.teardown(() => stack.stop());
const [base = ''] = stack.baseUrls;
const callback = `${new URL(base).origin}/sso`;
idp.allow(callback);

const word = () => randomBytes(6).toString('hex');
const browser = () => openBrowser(base, callback);
const get = (access: string | undefined, path: string) =>
  // Tests look into any answer.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  http<any>(`${base}${path}`, { headers: { authorization: `Bearer ${access}` } });
const REFUSED = { status: 403, body: { code: 'sso_refused' } };

/** Somebody whom the provider knows, and who sits at the browser. */
function colleague(groups: unknown, claims: Claims = {}): string {
  const email = `${word()}@operator.example`;
  idp.people.set(email, { sub: word(), email, email_verified: true, name: 'Grace', groups, ...claims });
  idp.state.visitor = email;
  return email;
}
const regroup = (email: string, groups: unknown) =>
  idp.people.set(email, { ...idp.people.get(email), sub: String(idp.people.get(email)?.sub), groups });
const usersOf = async (email: string) =>
  (await stack.sql('SELECT id FROM users WHERE email = $1', [email])).length;

t.test('a colleague gets an account of their own, and the role of their highest group', async (t) => {
  t.match((await get('', 'auth/settings/')).body, { operator_sso: true });
  const email = colleague(['helpdesk', 'accounting', 'football']);
  const { status, body, text } = await browser().logInAsOperator();
  t.equal(status, 200, text);
  const me = await get(body.access, 'auth/users/me/');
  t.match(me.body, {
    user: { email, name: 'Grace', operator: true, operator_role: 'finance', email_verified: true },
    account: { role: 'owner' },
  });
  t.equal((await get(body.access, 'operator/months/')).status, 200);
  t.match(
    await http(`${base}operator/accounts/${me.body.account.id}/suspend/`, {
      json: { reason: 'x' },
      headers: { authorization: `Bearer ${body.access}` },
    }),
    { status: 403, body: { code: 'role_missing', error: /role as an operator is finance.*role admin/ } },
  );
  t.match((await get(body.access, 'dashboard/audit/')).body.events[0], {
    action: 'user.logged_in',
    details: { with: 'single sign-on' },
  });
});

t.test('the groups of each login count, and nobody comes in without one that has a role', async (t) => {
  const email = colleague('verdict-admins');
  const first = await browser().logInAsOperator();
  const { user } = (await get(first.body.access, 'auth/users/me/')).body;
  t.match(user, { operator_role: 'admin' }, 'one group may be a text');
  regroup(email, ['helpdesk']);
  const second = await browser().logInAsOperator();
  t.match((await get(second.body.access, 'auth/users/me/')).body.user, {
    id: user.id,
    operator_role: 'support',
  });
  t.equal((await get(second.body.access, 'operator/accounts/')).status, 200);
  t.match(await get(second.body.access, 'operator/months/'), { status: 403, body: { code: 'role_missing' } });
  regroup(email, ['football']);
  t.match(await browser().logInAsOperator(), REFUSED);
  for (const groups of [
    undefined,
    [],
    'verdict-admins ',
    ['verdict'],
    [['verdict-admins']],
    { 0: 'verdict-admins' },
  ]) {
    const nobody = colleague(groups);
    t.match(await browser().logInAsOperator(), REFUSED, JSON.stringify(groups));
    t.equal(await usersOf(nobody), 0);
  }
  colleague(['helpdesk'], { email_verified: false });
  t.match(await browser().logInAsOperator(), REFUSED, 'an address that is not verified');
});

t.test('a user who has a password confirms with it once', async (t) => {
  const user = await stack.createAccount();
  const email = colleague(['verdict-admins']);
  await stack.sql('UPDATE users SET email = $1 WHERE email = $2', [email, user.email]);
  const one = browser();
  t.match(await one.logInAsOperator(), { status: 202, body: { email } });
  t.equal((await one.link('wrong-otter-harbour-9')).status, 401);
  const linked = await one.link(user.password);
  t.equal(linked.status, 200, linked.text);
  t.equal((await get(linked.body.access, 'operator/accounts/')).status, 200);
  const direct = await browser().logInAsOperator();
  const me = await get(direct.body.access, 'auth/users/me/');
  t.match(me.body, { account: { id: user.accountId }, user: { operator_role: 'admin' } });
  const password = await http<{ access: string }>(`${base}auth/jwt/create/`, {
    json: { email, password: user.password },
  });
  t.match((await get(password.body.access, 'auth/users/me/')).body.user, { operator: false });
  t.equal(
    (await get(password.body.access, 'operator/accounts/')).status,
    403,
    'a password opens no more than before',
  );
});

t.test(
  'after twelve hours the operator area asks for another login, and the account stays open',
  async (t) => {
    colleague(['verdict-admins']);
    const { access } = (await browser().logInAsOperator()).body;
    const { user } = (await get(access, 'auth/users/me/')).body;
    await stack.sql(
      `UPDATE sessions SET created_at = now() - interval '12 hours 1 minute' WHERE user_id = $1`,
      [user.id],
    );
    t.match(await get(access, 'operator/accounts/'), { status: 403, body: { error: /^Log in again/ } });
    t.equal((await get(access, 'auth/users/me/')).status, 200);
  },
);

t.test('an answer for operators is good for the browser and the login that it belongs to', async (t) => {
  colleague(['verdict-admins']);
  const failed = { status: 401, body: { code: 'sso_failed' } };
  const one = browser();
  const answer = await one.startAsOperator();
  t.equal(answer.status, 200);
  t.match(await browser().finish('?code=x&state=x'), failed);
  t.match(await one.finish('?code=x&state=x'), failed);
  idp.state.lie = (claims) => ({ ...claims, nonce: word() });
  t.match(await browser().logInAsOperator(), failed, 'a wrong nonce');
  delete idp.state.lie;
  idp.state.failure = 'broken';
  t.match(await browser().startAsOperator(), { status: 503, body: { code: 'sso_unavailable' } });
  delete idp.state.failure;
});
