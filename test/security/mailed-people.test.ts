import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startSmtpServer } from '@verdict/local-stack/start-smtp-server.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';

/** Somebody who wants to know who is registered, and somebody who wants to be somebody else; a real mail server between. */
const smtp = await startSmtpServer();
t.teardown(() => smtp.stop());
const stack = await startStack({
  env: {
    all: {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Verdict <verdict@mail.example>',
      PUBLIC_URL: 'https://verdict.example/',
    },
    gateway: { REQUESTS_PER_MINUTE: 1_000_000 },
    'control-plane': { REGISTRATIONS_PER_HOUR: 1_000_000 },
  },
});
t.teardown(() => stack.stop());
const [base = ''] = stack.baseUrls;

type Body = Record<string, unknown> & { code?: string; access?: string; refresh?: string };
const post = (path: string, json: unknown, headers: Record<string, string> = {}) =>
  http<Body>(`${base}${path}`, { json, headers });
const bearer = ({ body }: { body: Body }) => ({ authorization: `Bearer ${body.access}` });
const tokenIn = (text: string): string => /#token=([\w-]{43})/.exec(text)?.[1] ?? '';

let made = 0;
const freshEmail = () => `person${made++}.${Date.now()}@example.com`;
const PASSWORD = 'vivid-otter-harbour-9';

async function registered(): Promise<string> {
  const email = freshEmail();
  await post('auth/users/', { email, password: PASSWORD });
  const { text } = await smtp.mailTo(email, /Confirm/);
  const activated = await post('auth/users/activation/', { token: tokenIn(text), password: PASSWORD });
  if (activated.status !== 201) throw new Error(activated.text);
  return email;
}

t.test('registration does not tell who is registered; only the mailbox does', async (t) => {
  const taken = await registered();
  const free = freshEmail();
  const seen = [];
  for (const email of [taken, free]) {
    const { status, body, headers } = await post('auth/users/', { email, password: 'another-vivid-otter-7' });
    const { date: _date, 'x-request-id': _id, ...rest } = headers;
    seen.push({ status, body, names: Object.keys(rest).sort() });
  }
  t.equal(seen[0]?.status, 202);
  t.strictSame(seen[0], seen[1]);
  t.match((await smtp.mailTo(taken, /already/)).text, /nothing changed/);
  t.match((await smtp.mailTo(free, /Confirm/)).text, /https:\/\/verdict\.example\/activate#token=/);
  const login = (email: string) => post('auth/jwt/create/', { email, password: 'another-vivid-otter-7' });
  const [known, unknown] = [await login(taken), await login(free)];
  t.strictSame(
    [known.status, known.body],
    [unknown.status, unknown.body],
    'nor does a login before it is confirmed',
  );
});

t.test(
  'somebody who registers with another’s address ends with nothing, whatever the other clicks',
  async (t) => {
    const victim = freshEmail();
    await post('auth/users/', { email: victim, password: 'attackers-own-choice-1' });
    const { text } = await smtp.mailTo(victim, /Confirm/);
    const token = tokenIn(text);
    const clicked = await post('auth/users/activation/', { token, password: 'what the victim types' });
    t.equal(clicked.status, 400);
    t.equal(
      (await post('auth/jwt/create/', { email: victim, password: 'attackers-own-choice-1' })).status,
      401,
    );
    await post('auth/users/', { email: victim, password: PASSWORD });
    await eventually(() => smtp.received.filter(({ to }) => to.includes(victim)).length === 2);
    const own = tokenIn((await smtp.mailTo(victim, /Confirm/)).text);
    t.equal((await post('auth/users/activation/', { token: own, password: PASSWORD })).status, 201);
    t.equal((await post('auth/jwt/create/', { email: victim, password: PASSWORD })).status, 200);
    const late = await post('auth/users/activation/', { token, password: 'attackers-own-choice-1' });
    t.match(late, { status: 400, body: { code: 'invalid_link' } });
    t.match(
      await post('auth/users/activation/', { token: own, password: PASSWORD }),
      { status: 400 },
      'once',
    );
  },
);

t.test('a new password by mail ends every session, and the link is good once', async (t) => {
  const email = await registered();
  const session = await post('auth/jwt/create/', { email, password: PASSWORD });
  const asked = await post('auth/users/reset_password/', { email });
  const askedForNobody = await post('auth/users/reset_password/', { email: freshEmail() });
  t.strictSame([asked.status, asked.body], [askedForNobody.status, askedForNobody.body]);
  const { text, html } = await smtp.mailTo(email, /new password/);
  t.match(html, /<a href="https:\/\/verdict\.example\/reset-password#token=/);
  const token = tokenIn(text);
  const weak = await post('auth/users/reset_password_confirm/', { token, new_password: 'password1234' });
  t.equal(weak.status, 400);
  const next = 'harbour-lantern-77';
  const both = await Promise.all([
    post('auth/users/reset_password_confirm/', { token, new_password: next }),
    post('auth/users/reset_password_confirm/', { token, new_password: 'another-lantern-78' }),
  ]);
  t.strictSame(both.map(({ status }) => status).sort(), [200, 400]);
  const won = both[0]?.status === 200 ? next : 'another-lantern-78';
  t.equal((await post('auth/jwt/refresh/', { refresh: session.body.refresh })).status, 401);
  t.equal((await http(`${base}auth/users/me/`, { headers: bearer(session) })).status, 401);
  t.equal((await post('auth/jwt/create/', { email, password: PASSWORD })).status, 401);
  t.equal((await post('auth/jwt/create/', { email, password: won })).status, 200);
  t.match((await smtp.mailTo(email, /password was changed/)).text, /Every other session has been logged out/);
});

t.test('a link is good for its own purpose and its own time only', async (t) => {
  const email = await registered();
  await post('auth/users/reset_password/', { email });
  const token = tokenIn((await smtp.mailTo(email, /new password/)).text);
  t.equal((await post('auth/users/activation/', { token, password: PASSWORD })).status, 400);
  t.equal((await post('auth/users/confirmation/', { token })).status, 400);
  for (const wrong of ['x', `${token}x`, token.slice(1), "' OR 1=1 --"])
    t.equal(
      (await post('auth/users/reset_password_confirm/', { token: wrong, new_password: PASSWORD })).status,
      400,
    );
  await stack.sql(`UPDATE mail_tokens SET expires_at = now() - interval '1 second' WHERE email = $1`, [
    email,
  ]);
  t.equal((await post('auth/users/reset_password_confirm/', { token, new_password: PASSWORD })).status, 400);
});

t.test('a new login address counts once its mailbox has answered, and the old one is told', async (t) => {
  const email = await registered();
  const next = freshEmail();
  const taken = await registered();
  const login = (address: string) => post('auth/jwt/create/', { email: address, password: PASSWORD });
  const session = await login(email);
  const ask = (address: string, current_password = PASSWORD) =>
    post('auth/users/me/email/', { email: address, current_password }, bearer(session));
  t.equal((await ask(next, 'not the password')).status, 400);
  t.equal((await ask(taken)).status, 202, 'who is registered is not told');
  t.equal((await ask(next)).status, 202);
  t.equal((await login(next)).status, 401, 'not before the link is opened');
  const token = tokenIn((await smtp.mailTo(next, /Confirm/)).text);
  t.equal((await post('auth/users/confirmation/', { token })).status, 200);
  t.strictSame([(await login(next)).status, (await login(email)).status], [200, 401]);
  await smtp.mailTo(email, /login address was changed/);
  t.equal((await post('auth/users/confirmation/', { token })).status, 400, 'a link works once');
  const foreign = tokenIn((await smtp.mailTo(taken, /Confirm your address/)).text);
  t.not(foreign, '', 'the owner of a taken address gets a link that changes nothing');
});

t.test('nobody’s mailbox is filled through us, be it a user’s or not', async (t) => {
  for (const email of [await registered(), freshEmail()]) {
    const answers = [];
    for (let i = 0; i < 8; i++) answers.push((await post('auth/users/reset_password/', { email })).status);
    t.ok(answers.slice(0, 4).every((status) => status === 202));
    t.strictSame(answers.slice(-3), [429, 429, 429]);
  }
});

t.test('invitations of a stranger use up no link of their addressee', async (t) => {
  const stranger = await post('auth/jwt/create/', { email: await registered(), password: PASSWORD });
  const email = await registered();
  const invited = [];
  for (let i = 0; i < 6; i++)
    invited.push((await post('members/invitations/', { email, role: 'analyst' }, bearer(stranger))).status);
  t.strictSame(invited, [201, 201, 201, 201, 201, 429]);
  t.equal((await post('auth/users/reset_password/', { email })).status, 202);
});

t.test('people are told of a login from an unknown device, a new key and a changed password', async (t) => {
  const email = await registered();
  const count = (subject: RegExp) =>
    smtp.received.filter(({ to, subject: found }) => to.includes(email) && subject.test(found)).length;
  const browser = { 'user-agent': '<b>Mallory</b> & Co', 'x-forwarded-for': '203.0.113.200' };
  const login = await post('auth/jwt/create/', { email, password: PASSWORD, cookie: true }, browser);
  const { text, html } = await smtp.mailTo(email, /New login/);
  t.match(text, /<b>Mallory<\/b> & Co/);
  t.notMatch(html, /<b>/, 'what a stranger sends is text, not markup');
  const device = [login.headers['set-cookie']].flat().find((cookie) => cookie?.startsWith('verdict_device='));
  const cookie = String(device).split(';')[0] ?? '';
  await post('auth/jwt/create/', { email, password: PASSWORD, cookie: true }, { ...browser, cookie });
  const key = await http<{ key: { id: string } }>(`${base}dashboard/keys/`, {
    json: { name: 'till 7' },
    headers: bearer(login),
  });
  t.equal(key.status, 201);
  t.match((await smtp.mailTo(email, /New API key/)).text, /"till 7"/);
  await http(`${base}dashboard/keys/${key.body.key.id}/roll/`, { json: {}, headers: bearer(login) });
  await smtp.mailTo(email, /rolled/);
  await http(`${base}auth/users/set_password/`, {
    json: { current_password: PASSWORD, new_password: 'harbour-lantern-77' },
    headers: bearer(login),
  });
  await smtp.mailTo(email, /password was changed/);
  t.equal(count(/New login/), 1, 'the known browser is not reported again');
});

t.test('what did not happen is not told: no mail for a key that was refused', async (t) => {
  const email = await registered();
  const login = await post('auth/jwt/create/', { email, password: PASSWORD });
  for (let i = 0; i < 6; i++)
    await http(`${base}dashboard/keys/`, { json: { name: `key ${i}` }, headers: bearer(login) });
  await smtp.mailTo(email, /New API key/);
  await eventually(async () => (await stack.sql('SELECT FROM outgoing_mails')).length === 0);
  const told = smtp.received.filter(({ to, subject }) => to.includes(email) && /New API key/.test(subject));
  t.equal(told.length, 5);
});

t.test('a mail server that is away and a worker that is killed lose no mail', async (t) => {
  const email = await registered();
  smtp.refuseWith(451);
  t.equal((await post('auth/users/reset_password/', { email })).status, 202);
  await eventually(
    async () => (await stack.sql(`SELECT FROM outgoing_mails WHERE last_error IS NOT NULL`)).length > 0,
  );
  const [row] = await stack.sql<{ sealed: string }>('SELECT sealed FROM outgoing_mails');
  t.notOk(row?.sealed.includes(email), 'while it waits, the database does not tell whom it is for');
  const [worker] = stack.workers;
  const noneWaits = async () =>
    /^verdict_mail_oldest_seconds\S* 0$/m.test((await http(`${worker?.internalUrl}/metrics`)).text);
  await eventually(async () => !(await noneWaits()));
  t.pass('operators see that a mail waits');
  await worker?.kill();
  smtp.refuseWith(null);
  // As if the time for the next try had come.
  await stack.sql('UPDATE outgoing_mails SET next_try_at = now()');
  await worker?.restart();
  t.match((await smtp.mailTo(email, /new password/)).headers['message-id'], /^<mal_\w+@mail\.example>$/);
  await eventually(async () => (await stack.sql('SELECT FROM outgoing_mails')).length === 0);
  await eventually(noneWaits);
  t.pass('and that none does any more');
});

t.test('a mail that no server will ever take is given up, and holds up no other', async (t) => {
  const [first, second] = [await registered(), await registered()];
  smtp.refuseWith(550);
  await post('auth/users/reset_password/', { email: first });
  await eventually(async () => (await stack.sql('SELECT FROM outgoing_mails')).length === 0);
  smtp.refuseWith(null);
  await post('auth/users/reset_password/', { email: second });
  await smtp.mailTo(second, /new password/);
  t.notOk(smtp.received.some(({ to, subject }) => to.includes(first) && /new password/.test(subject)));
});

t.test('whoever leaves is written to no more', async (t) => {
  const email = await registered();
  const login = await post('auth/jwt/create/', { email, password: PASSWORD });
  smtp.refuseWith(451);
  await http(`${base}dashboard/keys/`, { json: { name: 'k' }, headers: bearer(login) });
  const left = await http(`${base}auth/users/me/`, {
    method: 'DELETE',
    json: { current_password: PASSWORD },
    headers: bearer(login),
  });
  t.equal(left.status, 200);
  t.strictSame(await stack.sql('SELECT FROM outgoing_mails WHERE user_id IS NOT NULL'), []);
  smtp.refuseWith(null);
});

t.test('a user from before there was mail confirms the address with a link', async (t) => {
  const login = await post('auth/jwt/create/', { email: stack.email, password: stack.password });
  const me = async () =>
    (await http<{ user: { email_verified: boolean } }>(`${base}auth/users/me/`, { headers: bearer(login) }))
      .body.user;
  t.match(await me(), { email_verified: false });
  const asked = await http(`${base}auth/users/me/confirmation/`, { method: 'POST', headers: bearer(login) });
  t.equal(asked.status, 202);
  const token = tokenIn((await smtp.mailTo(stack.email, /Confirm/)).text);
  t.equal((await post('auth/users/confirmation/', { token })).status, 200);
  t.match(await me(), { email_verified: true });
  t.equal((await post('auth/users/confirmation/', { token })).status, 400);
});

t.test('an invitation is mailed and shown to no inviter, and opening it confirms the address', async (t) => {
  const login = await post('auth/jwt/create/', { email: await registered(), password: PASSWORD });
  const email = freshEmail();
  const invited = await post('members/invitations/', { email, role: 'analyst' }, bearer(login));
  t.match([invited.status, invited.body.link], [201, null]);
  const { text } = await smtp.mailTo(email, /invited/);
  t.match(text, /https:\/\/verdict\.example\/join#token=/);
  const token = tokenIn(text);
  t.notOk(invited.text.includes(token));
  const joined = await post('auth/invitations/accept/', { token, password: PASSWORD });
  t.match(joined, { status: 201, body: { user: { email, email_verified: true } } });
});
