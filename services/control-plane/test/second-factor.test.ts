import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { type Customer, PASSWORD, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const FACTOR = '/api/v1/auth/second_factor/';
const CONFIRM = '/api/v1/auth/second_factor/confirm/';
const CODES = '/api/v1/auth/second_factor/recovery_codes/';
const CREATE = '/api/v1/auth/jwt/create/';
const ME = '/api/v1/auth/users/me/';

const stores = await startStores(t);
const SECRETS_KEY = randomBytes(32).toString('base64url');
const plane = await startControlPlane(t, stores, { SECRETS_KEY });

const appOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) });
const from = (ip: string) => ({ 'x-forwarded-for': ip });

interface Protected {
  readonly owner: Customer;
  readonly app: TOTP;
  readonly secret: string;
  readonly recovery: readonly string[];
  /** The code that the app showed at confirmation: half a minute later it shows another. */
  readonly shown: string;
}

/** A user whose app has shown its first code. */
async function protectedUser(): Promise<Protected> {
  const owner = await plane.customer();
  const { secret } = (await owner.call('POST', FACTOR, { current_password: PASSWORD })).body;
  const app = appOf(secret);
  const shown = app.generate();
  const answer = await owner.call('POST', CONFIRM, { otp: shown });
  if (answer.status !== 200) throw new Error(answer.text);
  return { owner, app, secret, recovery: answer.body.recovery_codes, shown };
}

/** As if half a minute had passed: the code that was shown before counts as one of an earlier step. */
const laterOn = ({ userId }: Customer) =>
  stores.db.$executeRaw`UPDATE second_factors SET last_step = last_step - 2 WHERE user_id = ${userId}`;

const logIn = (email: string, otp?: string, ip = '127.0.0.1') =>
  plane.call('POST', CREATE, { email, password: PASSWORD, ...(otp && { otp }) }, from(ip));

t.test('the password alone is not enough, and each code is good once', async (t) => {
  const { owner, app } = await protectedUser();
  const { email } = owner;
  t.match(await logIn(email), { status: 401, body: { code: 'second_factor_required' } });
  await laterOn(owner);
  const otp = app.generate();
  t.equal((await logIn(email, otp)).status, 200);
  t.match(await logIn(email, otp), { status: 401, body: { code: 'second_factor_wrong' } }, 'a replay');
  t.match((await owner.call('GET', ME)).body.user, { second_factor: true });
});

t.test('of twenty who show one code at the same moment one gets in', async (t) => {
  const { owner, app } = await protectedUser();
  await laterOn(owner);
  const otp = app.generate();
  // From the known address, which has ten attempts; each from a new browser has not.
  const answers = await Promise.all(Array.from({ length: 8 }, () => logIn(owner.email, otp)));
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  t.equal(answers.filter(({ status }) => status === 401).length, 7);
});

t.test('the code that confirmed the app, an older and a later one do not open anything', async (t) => {
  const { owner, app, shown } = await protectedUser();
  t.equal((await logIn(owner.email, shown)).status, 401, 'used when the app was confirmed');
  await laterOn(owner);
  for (const minutes of [-60, -2, 2, 60]) {
    const otp = app.generate({ timestamp: Date.now() + minutes * 60_000 });
    t.equal((await logIn(owner.email, otp)).status, 401, `${minutes} minutes away`);
  }
  for (const otp of ['000000 ', 'abcdef', '-------', '１２３４５６'])
    t.equal((await logIn(owner.email, otp)).status, 401, JSON.stringify(otp));
});

t.test(
  'codes cannot be guessed: strangers have ten tries, and the owner’s place is not locked',
  async (t) => {
    const { owner, app } = await protectedUser();
    t.equal(
      (await logIn(owner.email, undefined, '198.51.100.20')).status,
      401,
      'asking for the code is no failure',
    );
    const guesses = await Promise.all(
      Array.from({ length: 25 }, (_, i) => logIn(owner.email, String(100_000 + i), `203.0.113.${i + 1}`)),
    );
    t.equal(guesses.filter(({ status }) => status === 401).length, 10);
    t.equal(guesses.filter(({ status }) => status === 429).length, 15);
    await laterOn(owner);
    t.equal((await logIn(owner.email, app.generate())).status, 200);
  },
);

t.test('a recovery code lets its owner in once, however it is typed', async (t) => {
  const { owner, recovery } = await protectedUser();
  t.equal(recovery.length, 10);
  t.equal(new Set(recovery).size, 10);
  const [first = '', second = ''] = recovery;
  t.equal((await logIn(owner.email, first)).status, 200);
  t.equal((await logIn(owner.email, first)).status, 401);
  t.equal((await logIn(owner.email, second.toUpperCase().replaceAll('-', ' '))).status, 200);
  t.match((await owner.call('GET', FACTOR)).body, { enabled: true, recovery_codes_left: 8 });
  const stranger = await protectedUser();
  t.equal((await logIn(stranger.owner.email, recovery[2])).status, 401, 'nobody else');
});

t.test('new recovery codes end the old ones, and ask who it is', async (t) => {
  const { owner, app, recovery } = await protectedUser();
  t.equal((await owner.call('POST', CODES, { current_password: PASSWORD })).status, 400, 'no code');
  await laterOn(owner);
  t.equal((await owner.call('POST', CODES, { current_password: 'wrong', otp: app.generate() })).status, 400);
  const made = await owner.call('POST', CODES, { current_password: PASSWORD, otp: app.generate() });
  t.equal(made.status, 200);
  t.equal((await logIn(owner.email, recovery[0])).status, 401);
  t.equal((await logIn(owner.email, made.body.recovery_codes[0])).status, 200);
});

t.test(
  'a stolen token can neither turn the second factor off nor put another app in its place',
  async (t) => {
    const { owner, app } = await protectedUser();
    t.equal((await owner.call('DELETE', FACTOR, { current_password: PASSWORD })).status, 400);
    t.equal((await owner.call('DELETE', FACTOR, { current_password: PASSWORD, otp: '123456' })).status, 400);
    await laterOn(owner);
    t.match(await owner.call('POST', FACTOR, { current_password: PASSWORD, otp: app.generate() }), {
      status: 409,
      body: { code: 'second_factor_on' },
    });
    t.equal((await owner.call('POST', CONFIRM, { otp: app.generate() })).status, 409);
    t.equal(
      (await owner.call('DELETE', ME, { current_password: PASSWORD })).status,
      400,
      'nor delete the account',
    );
    t.equal((await logIn(owner.email)).status, 401);
    await laterOn(owner);
    t.equal(
      (await owner.call('DELETE', FACTOR, { current_password: PASSWORD, otp: app.generate() })).status,
      200,
    );
    t.equal((await logIn(owner.email)).status, 200);
    t.equal(await stores.db.recoveryCode.count({ where: { userId: owner.userId } }), 0);
  },
);

t.test('an app that never showed a code changes nothing', async (t) => {
  const owner = await plane.customer();
  t.equal((await owner.call('POST', CONFIRM, { otp: '123456' })).status, 409);
  const first = (await owner.call('POST', FACTOR, { current_password: PASSWORD })).body;
  t.match(first.uri, /^otpauth:\/\/totp\/Verdict:/);
  t.equal((await owner.call('POST', CONFIRM, { otp: '000000' })).status, 400);
  t.equal((await logIn(owner.email)).status, 200);
  const second = (await owner.call('POST', FACTOR, { current_password: PASSWORD })).body;
  t.not(second.secret, first.secret);
  t.equal((await owner.call('POST', CONFIRM, { otp: appOf(second.secret).generate() })).status, 200);
});

t.test('the database does not tell the secret, and opens for its own user only', async (t) => {
  const mine = await protectedUser();
  const other = await protectedUser();
  const { sealed } = await stores.db.secondFactor.findUniqueOrThrow({ where: { userId: mine.owner.userId } });
  t.notOk(sealed.includes(mine.secret) || Buffer.from(sealed).toString('base64').includes(mine.secret));
  // An attacker with write access to the database copies a known secret to another user.
  await stores.db.secondFactor.update({
    where: { userId: other.owner.userId },
    data: { sealed, lastStep: 0 },
  });
  t.equal((await logIn(other.owner.email, mine.app.generate())).status, 503, 'fails closed');
});

t.test(
  'while the key is rotated both open; a lost key lets nobody in, and none is no second factor',
  async (t) => {
    const { owner, app } = await protectedUser();
    const next = randomBytes(32).toString('base64');
    const rotating = await startControlPlane(t, stores, { SECRETS_KEY: `${next},${SECRETS_KEY}` });
    await laterOn(owner);
    const body = () => ({ email: owner.email, password: PASSWORD, otp: app.generate() });
    t.equal((await rotating.call('POST', CREATE, body())).status, 200);
    for (const keys of [{ SECRETS_KEY: next }, {}]) {
      const lost = await startControlPlane(t, stores, keys);
      await laterOn(owner);
      t.equal((await lost.call('POST', CREATE, body())).status, 503);
      t.equal((await lost.call('POST', CREATE, { ...body(), otp: undefined })).status, 401);
    }
    const without = await startControlPlane(t, stores);
    const stranger = await without.customer();
    t.match((await stranger.call('GET', FACTOR)).body, { available: false, enabled: false });
    t.equal((await stranger.call('POST', FACTOR, { current_password: PASSWORD })).status, 503);
  },
);

t.test('whoever guesses codes behind the right password is told of to the user, once', async (t) => {
  const { owner } = await protectedUser();
  const told = async () =>
    (await owner.call('GET', '/api/v1/dashboard/audit/')).body.events.filter(
      ({ action }: { action: string }) => action === 'user.codes_guessed',
    ).length;
  const guess = async (i: number) =>
    t.equal((await logIn(owner.email, '000000', `198.51.100.${i}`)).status, 401);
  for (let i = 1; i <= 4; i++) await guess(i);
  t.equal(await told(), 0);
  for (let i = 5; i <= 8; i++) await guess(i);
  t.equal(await told(), 1);
});

t.test('a new password asks for the second factor', async (t) => {
  const { owner, app } = await protectedUser();
  const change = (otp?: string) =>
    owner.call('POST', '/api/v1/auth/users/set_password/', {
      current_password: PASSWORD,
      new_password: 'another-otter-7-hill',
      ...(otp && { otp }),
    });
  t.match(await change(), { status: 400, body: { errors: [{ field: 'otp' }] } });
  await laterOn(owner);
  t.equal((await change(app.generate())).status, 200);
});

t.test(
  'the operator area asks for a login that showed a code, and a changed second factor ends the others',
  async (t) => {
    const AREA = '/api/v1/operator/accounts/';
    const operator = await plane.customer();
    await stores.db.user.update({ where: { id: operator.userId }, data: { operator: true } });
    const thief = (await logIn(operator.email)).body.access;
    const asThief = (path: string) =>
      plane.call('GET', path, undefined, { authorization: `Bearer ${thief}` });
    t.equal((await asThief(AREA)).status, 403, 'the password alone does not open it');
    t.equal((await asThief(ME)).status, 200);

    const { secret } = (await operator.call('POST', FACTOR, { current_password: PASSWORD })).body;
    const app = appOf(secret);
    t.equal((await operator.call('POST', CONFIRM, { otp: app.generate() })).status, 200);
    t.equal((await operator.call('GET', AREA)).status, 200, 'this login showed a code');
    t.equal((await asThief(AREA)).status, 401, 'the other login ended');

    await stores.db.session.updateMany({ where: { userId: operator.userId }, data: { secondFactor: false } });
    t.match(await operator.call('GET', AREA), { status: 403, body: { error: /Log in again with a code/ } });
    await laterOn(operator);
    const access = (await logIn(operator.email, app.generate())).body.access;
    const again = { authorization: `Bearer ${access}` };
    t.equal((await plane.call('GET', AREA, undefined, again)).status, 200);
    await laterOn(operator);
    const off = { current_password: PASSWORD, otp: app.generate() };
    t.equal((await plane.call('DELETE', FACTOR, off, again)).status, 200);
    t.equal((await operator.call('GET', ME)).status, 401, 'turning it off ends the others too');
    t.equal((await plane.call('GET', ME, undefined, again)).status, 200);
  },
);
