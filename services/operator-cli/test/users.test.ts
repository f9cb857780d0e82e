import { randomBytes, randomFillSync } from 'node:crypto';
import { aboutSecondFactor, createSealer } from '@verdict/domain/sealed-text.js';
import t from 'tap';
import { startOperator } from './support/start-operator.js';

const { db, verdict } = await startOperator(t);

await db.account.create({ data: { id: 'acc_1', name: 'Acme', plan: 'free' } });
await db.user.create({
  data: { id: 'usr_1', accountId: 'acc_1', email: 'ada@example.com', passwordHash: 'x' },
});

t.test('a user is let into the operator area and out of it, and the audit log says so', async (t) => {
  await verdict('users', 'make-operator', ' Ada@Example.com ');
  const one = () => db.user.findUniqueOrThrow({ where: { id: 'usr_1' } });
  t.match(await one(), { operator: true, operatorRole: 'admin' });
  await verdict('users', 'make-operator', 'ada@example.com', '--role', 'support');
  t.match(await one(), { operator: true, operatorRole: 'support' });
  const session = {
    userId: 'usr_1',
    tokenHash: 'x',
    chainKey: 'x',
    expiresAt: new Date(Date.now() + 60_000),
  };
  await db.session.create({ data: { ...session, id: 'ses_1' } });
  await db.session.create({ data: { ...session, id: 'ses_2', operatorRole: 'support' } });
  await verdict('users', 'unmake-operator', 'ada@example.com');
  t.equal((await one()).operator, false);
  const ended = await db.session.findMany({ where: { revokedAt: { not: null } } });
  t.same(
    ended.map(({ id }) => id),
    ['ses_2'],
    'a login that the provider of the server gave a role ends',
  );
  const events = await db.auditEvent.findMany({
    where: { accountId: 'acc_1' },
    orderBy: { createdAt: 'asc' },
  });
  t.match(events, [
    { action: 'user.made_operator', target: 'usr_1', userId: null, details: { role: 'admin' } },
    { action: 'user.made_operator', details: { role: 'support' } },
    { action: 'user.unmade_operator', target: 'usr_1', userId: null },
  ]);
});

t.test('who is not registered cannot be let in', async (t) => {
  await t.rejects(verdict('users', 'make-operator', 'nobody@example.com'), /there is no user/);
  await t.rejects(verdict('users', 'make-operator', 'nonsense'), /^nonsense: /);
});

t.test(
  'a lost second factor is taken away by an operator, once, and the audit log says by whom',
  async (t) => {
    await db.secondFactor.create({ data: { userId: 'usr_1', sealed: 'x', confirmedAt: new Date() } });
    await db.recoveryCode.create({ data: { userId: 'usr_1', hash: 'h' } });
    t.match(await verdict('users', 'reset-second-factor', 'ada@example.com'), /reset: true/);
    t.strictSame([await db.secondFactor.count(), await db.recoveryCode.count()], [0, 0]);
    t.match(await verdict('users', 'reset-second-factor', 'ada@example.com'), /reset: false/);
    const events = await db.auditEvent.findMany({ where: { action: 'user.second_factor_reset' } });
    t.match(events, [{ accountId: 'acc_1', target: 'usr_1', userId: null, details: { by: /^operator:/ } }]);
    t.equal(events.length, 1);
    await t.rejects(verdict('users', 'reset-second-factor', 'nobody@example.com'), /there is no user/);
  },
);

t.test('secrets are sealed again with the newest key, and then the old one can go', async (t) => {
  const [older, newer] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  const before = createSealer(older, randomFillSync);
  const about = aboutSecondFactor('usr_1');
  await db.secondFactor.create({ data: { userId: 'usr_1', sealed: before.seal('factor', about) } });
  await db.webhookEndpoint.create({
    data: {
      id: 'whk_1',
      accountId: 'acc_1',
      url: 'https://example.com/',
      events: [],
      secret: before.seal('present', 'whk_1'),
      oldSecret: before.seal('former', 'whk_1'),
    },
  });
  process.env.SECRETS_KEY = `${newer},${older}`;
  t.match(await verdict('keys', 'reseal'), /resealed: 3\nunreadable: 0/);
  t.match(await verdict('keys', 'reseal'), /resealed: 0/, 'once');
  const after = createSealer(newer, randomFillSync);
  const { sealed } = await db.secondFactor.findUniqueOrThrow({ where: { userId: 'usr_1' } });
  const { secret, oldSecret } = await db.webhookEndpoint.findUniqueOrThrow({ where: { id: 'whk_1' } });
  t.strictSame(
    [after.open(sealed, about), after.open(secret, 'whk_1'), after.open(oldSecret ?? '', 'whk_1')],
    ['factor', 'present', 'former'],
  );
  process.env.SECRETS_KEY = randomBytes(32).toString('base64');
  t.match(await verdict('keys', 'reseal'), /resealed: 0\nunreadable: 3/, 'a key that is missing is noticed');
});
