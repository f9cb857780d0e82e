import { randomBytes } from 'node:crypto';
import { ROLES, type Role } from '@verdict/domain/role.js';
import t from 'tap';
import { type Customer, PASSWORD, startControlPlane } from './support/control-plane.js';
import { inAccount, newMember } from './support/new-member.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const { db } = stores;

const freshEmail = () => `${randomBytes(6).toString('hex')}@example.com`;
const setRole = (by: Customer, userId: string, role: Role) =>
  by.call('PATCH', `/api/v1/members/${userId}/`, { role });
const remove = (by: Customer, userId: string) => by.call('DELETE', `/api/v1/members/${userId}/`);
const leave = (by: Customer) => by.call('DELETE', '/api/v1/members/me/');
const ownersOf = (accountId: string) => db.membership.count({ where: { accountId, role: 'owner' } });

/** Invites an address and returns the token of the link. */
async function invited(by: Customer, email: string, role: Role = 'analyst'): Promise<string> {
  const { status, body } = await by.call('POST', '/api/v1/members/invitations/', { email, role });
  t.equal(status, 201);
  return String(body.link).replace('/join#token=', '');
}
const join = (token: string) =>
  plane.call('POST', '/api/v1/auth/invitations/accept/', { token, password: PASSWORD, name: 'New' });
const accept = (by: Customer, token: string) =>
  by.call('POST', '/api/v1/members/invitations/accept/', { token });
const USED = { status: 400, body: { code: 'invalid_link' } };

t.test('who registers owns the account, and /auth/users/me/ says so', async (t) => {
  const { call, accountId } = await plane.customer();
  const { body } = await call('GET', '/api/v1/auth/users/me/');
  t.match(body, { account: { id: accountId, role: 'owner' }, accounts: [{ id: accountId, role: 'owner' }] });
});

t.test(
  'an invited address joins with a password, in its role, and is no member of anything else',
  async (t) => {
    const owner = await plane.customer();
    const email = freshEmail();
    const token = await invited(owner, email, 'billing');
    const shown = await plane.call('POST', '/api/v1/auth/invitations/', { token });
    t.match(shown.body, { email, role: 'billing', account: { id: owner.accountId }, registered: false });
    const joined = await join(token);
    t.match(joined, {
      status: 201,
      body: { user: { email }, account: { id: owner.accountId, role: 'billing' } },
    });
    t.equal(joined.body.accounts.length, 1);
    const login = await plane.call('POST', '/api/v1/auth/jwt/create/', { email, password: PASSWORD });
    const headers = { authorization: `Bearer ${login.body.access}` };
    const me = await plane.call('GET', '/api/v1/auth/users/me/', undefined, headers);
    t.match(me.body.account, { id: owner.accountId, role: 'billing' });
    t.match(await join(token), USED, 'the link works once');
  },
);

t.test('a user joins with the login they have, and switches between accounts', async (t) => {
  const [owner, person] = [await plane.customer(), await plane.customer()];
  const token = await invited(owner, person.email, 'admin');
  t.match(await join(token), { status: 403, body: { error: /has a login/ } });
  const other = await plane.customer();
  const refused = await accept(other, token);
  t.match(refused, { status: 403, body: { error: `This invitation is for ${person.email}.` } });
  t.equal((await accept(person, token)).status, 200, 'another address did not use it up');
  t.match(await accept(person, token), USED);
  const there = await inAccount(plane, person, owner.accountId);
  const { body } = await there.call('GET', '/api/v1/auth/users/me/');
  t.match(body.account, { id: owner.accountId, role: 'admin' });
  t.same(
    body.accounts.map(({ id, role }: { id: string; role: Role }) => [id, role]),
    [
      [person.accountId, 'owner'],
      [owner.accountId, 'admin'],
    ],
  );
  const refreshed = await plane.call('POST', '/api/v1/auth/jwt/refresh/', { refresh: there.refresh });
  const headers = { authorization: `Bearer ${refreshed.body.access}` };
  const again = await plane.call('GET', '/api/v1/auth/users/me/', undefined, headers);
  t.equal(again.body.account.id, owner.accountId, 'a refreshed token stays in the account');
  const events = await owner.call('GET', '/api/v1/dashboard/audit/?subject=member');
  t.match(events.body.events[0], {
    action: 'member.joined',
    user_id: person.userId,
    details: { role: 'admin' },
  });
});

t.test(
  'a link is refused after its invitation expired, was withdrawn, was replaced or its author left',
  async (t) => {
    const owner = await plane.customer();
    const expired = await invited(owner, freshEmail());
    await db.$executeRaw`UPDATE invitations SET expires_at = now() WHERE account_id = ${owner.accountId}`;
    t.match(await join(expired), USED, 'expired');

    const withdrawn = await invited(owner, freshEmail());
    const { invitations } = (await owner.call('GET', '/api/v1/members/')).body;
    t.equal(invitations.length, 1, 'expired ones are not listed');
    const [{ id }] = invitations;
    t.equal((await owner.call('DELETE', `/api/v1/members/invitations/${id}/`)).status, 200);
    t.match(await join(withdrawn), USED, 'withdrawn');

    const email = freshEmail();
    const [first, second] = [await invited(owner, email), await invited(owner, email)];
    t.match(await join(first), USED, 'replaced');
    t.equal((await join(second)).status, 201);
    t.match(
      await owner.call('POST', '/api/v1/members/invitations/', { email, role: 'admin' }),
      { status: 400, body: { error: /^email: is a member already/ } },
      'a member is not invited again',
    );

    const admin = await newMember(plane, stores, owner.accountId, 'admin');
    const orphaned = await invited(admin, freshEmail());
    t.equal((await remove(owner, admin.userId)).status, 200);
    t.match(await join(orphaned), USED, 'its author was removed');
    const demoted = await newMember(plane, stores, owner.accountId, 'admin');
    const lost = await invited(demoted, freshEmail());
    t.equal((await setRole(owner, demoted.userId, 'analyst')).status, 200);
    t.match(await join(lost), USED, 'its author was demoted');
  },
);

t.test('a removed member is out, and a second invitation lets them in again', async (t) => {
  const owner = await plane.customer();
  const email = freshEmail();
  const token = await invited(owner, email);
  const { body } = await join(token);
  t.equal((await remove(owner, body.user.id)).status, 200);
  t.equal(await db.user.count({ where: { email } }), 0, 'who belongs to nothing is no user');
  t.match(await join(token), USED, 'the link of then is over');
  t.equal((await remove(owner, body.user.id)).status, 404);
  t.equal((await join(await invited(owner, email))).status, 201);
});

t.test(
  'the audit log names a removed member by the email of then, and by the present one once back',
  async (t) => {
    const owner = await plane.customer();
    const email = freshEmail();
    const { body } = await join(await invited(owner, email));
    const { id } = body.user;
    const entry = async (action: string) =>
      (await owner.call('GET', '/api/v1/dashboard/audit/?subject=member')).body.events.find(
        (event: { action: string }) => event.action === action,
      );
    t.equal((await entry('member.joined')).user_email, email);
    t.equal((await remove(owner, id)).status, 200);
    t.match(await entry('member.joined'), { user_id: id, user_email: email }, 'what they did');
    t.match(
      await entry('member.removed'),
      { user_email: owner.email, details: { email, role: 'analyst' } },
      'their removal',
    );

    const person = await plane.customer();
    t.equal((await accept(person, await invited(owner, person.email))).status, 200);
    t.equal((await leave(await inAccount(plane, person, owner.accountId))).status, 200);
    const later = freshEmail();
    await db.user.update({ where: { id: person.userId }, data: { email: later } });
    t.match(
      await entry('member.left'),
      { user_id: person.userId, user_email: person.email },
      'as it was then',
    );
    t.equal((await accept(person, await invited(owner, later))).status, 200);
    t.equal((await entry('member.left')).user_email, later, 'a member of today');
  },
);

t.test('admins manage everybody below owner, and make no owners', async (t) => {
  const owner = await plane.customer();
  const [admin, analyst] = [
    await newMember(plane, stores, owner.accountId, 'admin'),
    await newMember(plane, stores, owner.accountId, 'analyst'),
  ];
  const refused = { status: 403, body: { code: 'role_missing' } };
  t.match(await setRole(admin, owner.userId, 'analyst'), refused);
  t.match(await remove(admin, owner.userId), refused);
  t.match(await setRole(admin, analyst.userId, 'owner'), refused);
  t.match(await setRole(admin, admin.userId, 'owner'), refused);
  t.match(
    await admin.call('POST', '/api/v1/members/invitations/', { email: freshEmail(), role: 'owner' }),
    refused,
  );
  t.equal((await setRole(admin, analyst.userId, 'billing')).status, 200);
  t.equal((await analyst.call('GET', '/api/v1/dashboard/logs/')).status, 403, 'holds with the next request');
  t.equal((await analyst.call('GET', '/api/v1/billing/invoices/')).status, 200);
  t.equal((await remove(admin, analyst.userId)).status, 200);
  t.equal(await ownersOf(owner.accountId), 1);
});

t.test('the last owner can neither leave nor be demoted', async (t) => {
  const owner = await plane.customer();
  const last = { status: 409, body: { code: 'last_owner' } };
  t.match(await leave(owner), last);
  t.match(await setRole(owner, owner.userId, 'admin'), last);
  const second = await newMember(plane, stores, owner.accountId, 'owner');
  t.equal((await leave(owner)).status, 200, 'with a second one they may');
  t.match(await leave(second), last);
  t.equal(await ownersOf(owner.accountId), 1);
});

t.test('of two owners who leave, or demote each other, at the same moment one stays', async (t) => {
  for (let round = 0; round < 10; round++) {
    const one = await plane.customer();
    const two = await newMember(plane, stores, one.accountId, 'owner');
    const acts = [
      () => [leave(one), leave(two)],
      () => [setRole(one, two.userId, 'admin'), setRole(two, one.userId, 'admin')],
      () => [remove(one, two.userId), remove(two, one.userId)],
    ][round % 3]?.();
    const statuses = (await Promise.all(acts ?? [])).map(({ status }) => status).sort();
    t.equal(statuses[0], 200, `${statuses}`);
    t.not(statuses[1], 200, `${statuses}`);
    t.equal(await ownersOf(one.accountId), 1);
  }
});

t.test(
  'a deleted account takes its invitations and its own users along, and leaves those of others',
  async (t) => {
    const owner = await plane.customer();
    const email = freshEmail();
    await join(await invited(owner, email));
    const guest = await newMember(plane, stores, owner.accountId, 'analyst');
    const partner = await plane.customer();
    await db.membership.create({
      data: { accountId: partner.accountId, userId: owner.userId, role: 'analyst' },
    });
    await invited(owner, freshEmail());
    const left = await owner.call('DELETE', '/api/v1/auth/users/me/', { current_password: PASSWORD });
    t.equal(left.status, 200);
    t.equal(await db.user.count({ where: { email } }), 0);
    t.equal(await db.invitation.count({ where: { accountId: owner.accountId } }), 0);
    t.equal(await db.membership.count({ where: { accountId: owner.accountId } }), 0);
    for (const { email } of [guest, owner]) {
      const login = await plane.call('POST', '/api/v1/auth/jwt/create/', { email, password: PASSWORD });
      t.equal(login.status, 200, 'they log in to the account that they still have');
    }
  },
);

t.test('the export names members and invitations', async (t) => {
  const owner = await plane.customer();
  const member = await newMember(plane, stores, owner.accountId, 'billing');
  const email = freshEmail();
  await invited(owner, email);
  const { text } = await owner.call('GET', '/api/v1/dashboard/export/');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.ok(lines.some(({ type, id, role }) => type === 'member' && id === member.userId && role === 'billing'));
  t.ok(lines.some(({ type, ...row }) => type === 'invitation' && row.email === email));
});

t.test('every role is one that Postgres takes', async (t) => {
  const owner = await plane.customer();
  for (const role of ROLES) await newMember(plane, stores, owner.accountId, role);
  t.equal((await owner.call('GET', '/api/v1/members/')).body.members.length, ROLES.length + 1);
});
