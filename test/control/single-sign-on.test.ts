import { randomBytes } from 'node:crypto';
import { http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import type { SeededAccount } from '@verdict/local-stack/stack-view.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import t from 'tap';
import { openBrowser, type SignOnBody } from '../harness/open-browser.js';
import { CLIENT, type Claims, startIdentityProvider } from '../harness/start-identity-provider.js';

const stack = await openStack();
t.teardown(() => stack.stop());
const dns = await startDnsServer({});
t.teardown(() => dns.close());
const [base = '', other = ''] = stack.baseUrls;
const callback = `${new URL(base).origin}/sso`;
const idp = await startIdentityProvider(callback);
t.teardown(() => idp.stop());
t.beforeEach(() => {
  delete idp.state.failure;
  delete idp.state.lie;
  delete idp.state.forger;
});

const word = () => randomBytes(6).toString('hex');
const bearer = (access: string | undefined) => ({ authorization: `Bearer ${access}` });
const FAILED = { status: 401, body: { code: 'sso_failed' } };

const logIn = (email: string, password: string) =>
  http<SignOnBody>(`${base}auth/jwt/create/`, { json: { email, password } });

/** The call of a logged-in user, through the other gateway. */
const callOf =
  (access: string | undefined) =>
  (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, json?: unknown) =>
    // Tests look into any answer.
    // biome-ignore lint/suspicious/noExplicitAny: see above
    http<any>(`${other}${path}`, { method, headers: bearer(access), ...(json !== undefined && { json }) });

const termsOf = (domain: string, more: object = {}) => ({
  issuer: idp.issuer,
  client_id: CLIENT.id,
  client_secret: CLIENT.secret,
  domains: [domain],
  default_role: 'analyst',
  enforce: false,
  ...more,
});

/** An account whose members log in at the provider, with a domain that DNS proves. */
async function company(account: SeededAccount, more: object = {}) {
  const domain = dns.nameOf(word());
  const owner = callOf((await logIn(account.email, account.password)).body.access);
  const set = await owner('PUT', 'dashboard/sso/', termsOf(domain));
  if (set.status !== 200) throw new Error(set.text);
  const [{ record_name, record_value }] = set.body.sso.domains;
  dns.zone[record_name] = { txt: [record_value] };
  const proven = await owner('POST', 'dashboard/sso/domains/check/');
  if (!proven.body.sso.domains[0].proven) throw new Error(proven.text);
  if (Object.keys(more).length > 0) await owner('PUT', 'dashboard/sso/', termsOf(domain, more));
  return { account, accountId: account.accountId, domain, owner };
}
const newCompany = async (more?: object) => company(await stack.createAccount(), more);

/** Somebody whom the provider knows. */
function person(domain: string, claims: Claims = {}) {
  const email = `${word()}@${domain}`;
  idp.people.set(email, { sub: word(), email, email_verified: true, name: 'Ada Lovelace', ...claims });
  return email;
}

const browser = () => openBrowser(base, callback);

const usersOf = async (email: string) =>
  (await stack.sql('SELECT id FROM users WHERE email = $1', [email])).length;

t.test(
  'an owner proves a domain by DNS; people of it come in as members with the default role',
  async (t) => {
    const account = await stack.createAccount();
    const owner = callOf((await logIn(account.email, account.password)).body.access);
    t.match((await owner('GET', 'dashboard/sso/')).body, { available: true, callback: '/sso', sso: null });
    const domain = dns.nameOf(word());
    const set = await owner('PUT', 'dashboard/sso/', termsOf(domain));
    const [row] = set.body.sso.domains;
    t.match(row, { domain, proven: false, record_name: `_verdict.${domain}` });
    t.notMatch(set.text, CLIENT.secret, 'the secret is never shown');
    const email = person(domain);
    const unproven = { status: 400, body: { error: /^email: has no single sign-on/ } };
    t.match(await browser().start(email), unproven, 'a domain that is not proven leads nowhere');
    dns.zone[row.record_name] = { txt: ['verdict-domain=of-somebody-else'] };
    t.notOk((await owner('POST', 'dashboard/sso/domains/check/')).body.sso.domains[0].proven);
    dns.zone[row.record_name] = { txt: ['v=spf1 -all', row.record_value] };
    t.ok((await owner('POST', 'dashboard/sso/domains/check/')).body.sso.domains[0].proven);

    const login = await browser().logIn(email);
    t.equal(login.status, 200, login.text);
    const me = await callOf(login.body.access)('GET', 'auth/users/me/');
    t.match(me.body, {
      user: { email, name: 'Ada Lovelace', email_verified: true },
      account: { id: account.accountId, role: 'analyst' },
    });
    const again = await browser().logIn(email);
    const same = await callOf(again.body.access)('GET', 'auth/users/me/');
    t.equal(same.body.user.id, me.body.user.id);
    const { events } = (await owner('GET', 'dashboard/audit/')).body;
    t.match(events[0], { action: 'user.logged_in', details: { with: 'single sign-on' } });
    t.match(
      events.map(({ action }: { action: string }) => action),
      ['user.logged_in', 'user.logged_in', 'member.joined', 'sso.domain_proven', 'sso.set'],
    );
  },
);

t.test(
  'the subject binds a member: their address may change, and another subject is another person',
  async (t) => {
    const { domain } = await newCompany();
    const email = person(domain);
    const first = await browser().logIn(email);
    const { user } = (await callOf(first.body.access)('GET', 'auth/users/me/')).body;
    const { sub } = idp.people.get(email) ?? {};
    idp.people.set(email, { sub: String(sub), email: `${word()}@${domain}`, email_verified: true });
    const second = await browser().logIn(email);
    t.equal((await callOf(second.body.access)('GET', 'auth/users/me/')).body.user.id, user.id);
    idp.people.set(email, { sub: word(), email, email_verified: true });
    const third = await browser().logIn(email);
    t.match(
      third,
      { status: 202, body: { email } },
      'somebody else who has the address must know the password',
    );
  },
);

t.test(
  'the session is the one of a password login: a cookie, refreshed, and ended by logging out',
  async (t) => {
    const { domain } = await newCompany();
    const one = browser();
    const { body, headers } = await one.logIn(person(domain));
    t.match(
      String(headers['set-cookie']),
      /verdict_refresh=ses_[^;]+; Path=\/api\/v1\/auth\/; Max-Age=\d+; HttpOnly; SameSite=Strict/,
    );
    t.notOk(one.cookies.has('verdict_sign_on'), 'nothing of the login is left');
    const refreshed = await one.post('jwt/refresh/', { cookie: true });
    t.equal(refreshed.status, 200);
    t.equal((await one.post('jwt/logout/', { cookie: true })).status, 200);
    for (const access of [body.access, refreshed.body.access])
      t.equal((await callOf(access)('GET', 'auth/users/me/')).status, 401);
  },
);

t.test('an answer is refused with a wrong state, in another browser, and a second time', async (t) => {
  const { domain } = await newCompany();
  const email = person(domain);
  const one = browser();
  const query = await one.begin(email);
  t.match(await browser().finish(query), FAILED, 'a browser that began nothing');
  const two = browser();
  await two.begin(email);
  t.match(await two.finish(query), FAILED, 'a browser that began another login');
  const three = browser();
  const own = await three.begin(email);
  t.match(await three.finish(own.replace(/state=[^&]+/, `state=${word()}`)), FAILED, 'a wrong state');
  t.match(await three.finish(own), FAILED, 'the login was over with the wrong answer');
  const kept = new Map(one.cookies);
  t.equal((await one.finish(query)).status, 200);
  for (const [name, value] of kept) one.cookies.set(name, value);
  t.match(await one.finish(query), FAILED, 'a code that was used');
});

const LIES: Readonly<Record<string, (claims: Claims) => Claims>> = {
  'a wrong nonce': (claims) => ({ ...claims, nonce: word() }),
  'no nonce': ({ nonce: _nonce, ...claims }) => claims,
  'an expired token': (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 90 }),
  'another issuer': (claims) => ({ ...claims, iss: 'https://accounts.example.com' }),
  'another audience': (claims) => ({ ...claims, aud: 'another-client' }),
  'a token of tomorrow': (claims) => ({ ...claims, nbf: Math.floor(Date.now() / 1000) + 3_600 }),
};

t.test(
  'an ID token is refused that is not of this login, this provider, this client and this hour',
  async (t) => {
    const { domain } = await newCompany();
    const email = person(domain);
    for (const [name, lie] of Object.entries(LIES)) {
      idp.state.lie = lie;
      t.match(await browser().logIn(email), FAILED, name);
    }
    delete idp.state.lie;
    idp.state.forger = idp.newKey();
    t.match(await browser().logIn(email), FAILED, 'a signature by another key');
    idp.state.forger = 'none';
    t.match(await browser().logIn(email), FAILED, 'no signature');
    delete idp.state.forger;
    t.equal(await usersOf(email), 0);
    idp.state.lie = (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 1 });
    t.equal((await browser().logIn(email)).status, 200, 'clocks may differ a little');
  },
);

t.test('an answer that names another provider is refused before anything is sent to this one', async (t) => {
  const { domain } = await newCompany();
  const one = browser();
  const query = await one.begin(person(domain));
  const asked = idp.state.tokenRequests.length;
  const mixed = query.replace(/iss=[^&]+/, `iss=${encodeURIComponent('https://evil.example')}`);
  t.not(mixed, query);
  t.match(await one.finish(mixed), FAILED);
  t.equal(idp.state.tokenRequests.length, asked);
});

t.test(
  'an address that the provider did not verify, or of another domain, makes nobody a member',
  async (t) => {
    const { domain } = await newCompany();
    const foreign = await company(await stack.createAccount());
    const refused = (error: RegExp) => ({ status: 403, body: { code: 'sso_refused', error } });
    t.match(await browser().logIn(person(domain, { email_verified: false })), refused(/has not verified/));
    const theirs = `${word()}@${foreign.domain}`;
    t.match(await browser().logIn(person(domain, { email: theirs })), refused(/does not log in people of/));
    t.match(await browser().logIn(person(domain, { email: undefined })), refused(/did not send your email/));
    t.equal(await usersOf(theirs), 0);
  },
);

t.test('a domain leads to one account, which proved it first', async (t) => {
  const { domain } = await newCompany();
  const account = await stack.createAccount();
  const owner = callOf((await logIn(account.email, account.password)).body.access);
  const set = await owner('PUT', 'dashboard/sso/', termsOf(domain));
  const [{ record_name, record_value }] = set.body.sso.domains;
  dns.zone[record_name] = { txt: [...(dns.zone[record_name]?.txt ?? []), record_value] };
  t.notOk((await owner('POST', 'dashboard/sso/domains/check/')).body.sso.domains[0].proven);
});

t.test('an account asks name servers of its choice a few times a minute', async (t) => {
  const { owner } = await newCompany();
  const answers = [];
  for (let i = 0; i < 6; i++) answers.push(await owner('POST', 'dashboard/sso/domains/check/'));
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429],
  );
});

t.test('keys may change between two logins, and within one', async (t) => {
  const { domain } = await newCompany();
  const email = person(domain);
  t.equal((await browser().logIn(email)).status, 200);
  idp.rotate();
  t.equal((await browser().logIn(email)).status, 200);
  const one = browser();
  const query = await one.begin(email);
  idp.rotate();
  t.equal((await one.finish(query)).status, 200);
});

t.test('a provider that hangs, fails, redirects or never ends is a 503 that says so', async (t) => {
  const { domain } = await newCompany();
  const email = person(domain);
  const away = { status: 503, body: { code: 'sso_unavailable' } };
  for (const failure of ['silent', 'endless', 'broken', 'redirecting'] as const) {
    idp.state.failure = failure;
    t.match(await browser().start(email), away, failure);
  }
  delete idp.state.failure;
  const one = browser();
  const query = await one.begin(email);
  idp.state.failure = 'broken';
  t.match(await one.finish(query), away, 'away in the middle of a login');
});

t.test('a user whom the address belongs to connects with their password once', async (t) => {
  const { domain, accountId } = await newCompany();
  const user = await stack.createAccount();
  const email = person(domain);
  await stack.sql('UPDATE users SET email = $1 WHERE email = $2', [email, user.email]);
  const one = browser();
  t.match(await one.logIn(email), { status: 202, body: { email } });
  t.match(await one.link('wrong-otter-harbour-9'), { status: 401, body: { code: 'invalid_credentials' } });
  const linked = await one.link(user.password);
  t.equal(linked.status, 200, linked.text);
  const call = callOf(linked.body.access);
  t.match((await call('GET', 'auth/users/me/')).body, {
    user: { email },
    account: { id: accountId, role: 'analyst' },
  });
  t.match(await one.link(user.password), FAILED, 'the login is over');
  const direct = await browser().logIn(email);
  t.equal(direct.status, 200, 'the next login needs no password');

  const own = { account_id: user.accountId };
  t.match(
    await callOf(direct.body.access)('POST', 'auth/jwt/switch/', own),
    { status: 403 },
    'a provider opens its own account alone',
  );
  await stack.sql('UPDATE users SET operator = true WHERE email = $1', [email]);
  t.equal(
    (await callOf(direct.body.access)('GET', 'operator/accounts/')).status,
    403,
    'and no operator area',
  );
});

t.test('an invited person comes in with the role of the invitation, which is over then', async (t) => {
  const { domain, owner } = await newCompany();
  const invite = (email: string, role: string) =>
    owner('POST', 'members/invitations/', { email, role }).then(({ status }) => t.equal(status, 201));
  const roleOf = async (login: { body: SignOnBody }) =>
    (await callOf(login.body.access)('GET', 'auth/users/me/')).body.account.role;
  const fresh = person(domain);
  await invite(fresh, 'billing');
  t.equal(await roleOf(await browser().logIn(fresh)), 'billing', 'a new user');
  const user = await stack.createAccount();
  const known = person(domain);
  await stack.sql('UPDATE users SET email = $1 WHERE email = $2', [known, user.email]);
  await invite(known, 'admin');
  const one = browser();
  t.equal((await one.logIn(known)).status, 202);
  t.equal(await roleOf(await one.link(user.password)), 'admin', 'one who has a password');
  t.same((await owner('GET', 'members/')).body.invitations, []);
});

t.test('a link ends with the provider that the login began with', async (t) => {
  const { domain, owner, accountId } = await newCompany();
  const user = await stack.createAccount();
  const email = person(domain);
  await stack.sql('UPDATE users SET email = $1 WHERE email = $2', [email, user.email]);
  const one = browser();
  t.equal((await one.logIn(email)).status, 202);
  t.equal((await owner('PUT', 'dashboard/sso/', termsOf(domain, { client_id: 'verdict-2' }))).status, 200);
  t.match(await one.link(user.password), FAILED);
  const bound = 'SELECT user_id FROM memberships WHERE account_id = $1';
  t.equal((await stack.sql(bound, [accountId])).length, 1, 'and makes nobody a member');
});

t.test('enforced single sign-on refuses members’ passwords at once, and keeps the owner’s', async (t) => {
  const { account, domain, owner } = await newCompany();
  const user = await stack.createAccount();
  await stack.sql('UPDATE memberships SET account_id = $1, role = $3 WHERE account_id = $2', [
    account.accountId,
    user.accountId,
    'admin',
  ]);
  const email = person(domain);
  await stack.sql('UPDATE users SET email = $1, account_id = $3 WHERE email = $2', [
    email,
    user.email,
    account.accountId,
  ]);
  const before = await logIn(email, user.password);
  t.equal((await callOf(before.body.access)('GET', 'auth/users/me/')).status, 200);
  t.match(await owner('PUT', 'dashboard/sso/', termsOf(dns.nameOf(word()), { enforce: true })), {
    status: 400,
    body: { error: /^enforce: needs a proven domain/ },
  });
  t.equal((await owner('PUT', 'dashboard/sso/', termsOf(domain, { enforce: true }))).status, 200);
  t.equal((await callOf(before.body.access)('GET', 'auth/users/me/')).status, 401, 'a session under way');
  const refresh = (before.body as { refresh?: string }).refresh;
  t.equal((await http(`${base}auth/jwt/refresh/`, { json: { refresh } })).status, 401, 'its refresh token');
  t.match(await logIn(email, user.password), { status: 403, body: { code: 'sso_required' } });
  t.equal((await logIn(account.email, account.password)).status, 200, 'the owner');
  const one = browser();
  t.equal((await one.logIn(email)).status, 202);
  const linked = await one.link(user.password);
  t.match(
    (await callOf(linked.body.access)('GET', 'auth/users/me/')).body.account,
    { role: 'admin' },
    'keeps their role',
  );
});

t.test('removing a member, the connection or its provider ends logins at once', async (t) => {
  const { domain, owner } = await newCompany();
  const [one, two] = [await browser().logIn(person(domain)), await browser().logIn(person(domain))];
  const status = async (login: typeof one) =>
    (await callOf(login.body.access)('GET', 'auth/users/me/')).status;
  const { user } = (await callOf(one.body.access)('GET', 'auth/users/me/')).body;
  t.equal((await owner('DELETE', `members/${user.id}/`)).status, 200);
  t.same([await status(one), await status(two)], [401, 200]);
  t.equal((await owner('PUT', 'dashboard/sso/', termsOf(domain, { default_role: 'billing' }))).status, 200);
  t.equal(await status(two), 200, 'another role for newcomers ends nothing');
  t.equal((await owner('PUT', 'dashboard/sso/', termsOf(domain, { client_id: 'verdict-2' }))).status, 200);
  t.equal(await status(two), 401, 'another client');
  await owner('PUT', 'dashboard/sso/', termsOf(domain));
  const three = await browser().logIn(person(domain));
  t.equal(await status(three), 200);
  t.equal((await owner('DELETE', 'dashboard/sso/')).status, 200);
  t.equal(await status(three), 401, 'no connection');
  t.equal((await owner('DELETE', 'dashboard/sso/')).status, 404);
});

t.test('the provider must be one that this server may ask, and answer for its own issuer', async (t) => {
  const { domain, owner } = await newCompany();
  const set = (issuer: string) => owner('PUT', 'dashboard/sso/', termsOf(domain, { issuer }));
  for (const issuer of [
    'http://example.com',
    'https://10.0.0.1',
    'https://169.254.169.254',
    'file:///etc/passwd',
    'x',
  ])
    t.match(await set(issuer), { status: 400, body: { error: /^issuer: must be an https address/ } }, issuer);
  t.match(await set(`${idp.issuer}/realms/other`), {
    status: 400,
    body: { error: /^issuer: does not answer/ },
  });
  const { client_secret: _secret, ...unsaid } = termsOf(domain);
  t.equal((await owner('PUT', 'dashboard/sso/', unsaid)).status, 200, 'the secret is kept');
  t.match(
    await owner('PUT', 'dashboard/sso/', { ...unsaid, issuer: `${idp.issuer}/realms/other` }),
    { status: 400, body: { error: /^client_secret: is required/ } },
    'for the provider that it belongs to',
  );
});

t.test('a server without a provider of its own logs in no operator', async (t) => {
  t.match((await http<object>(`${base}auth/settings/`)).body, { operator_sso: false });
  t.match(await browser().startAsOperator(), { status: 404, body: { code: 'not_found' } });
});

t.test('steps that no login ends are limited by address', async (t) => {
  const one = browser();
  const email = `${word()}@nowhere.example`;
  const statuses = new Set<number>();
  for (let i = 0; i < 60; i++) statuses.add((await one.start(email)).status);
  t.same([...statuses], [400, 429]);
  t.equal((await browser().start(email)).status, 400, 'another address');
});
