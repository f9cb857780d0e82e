import t from 'tap';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const CREATE = '/api/v1/auth/jwt/create/';
const PAIRS = 60;

const stores = await startStores(t);
const plane = await startControlPlane(t, stores, {
  LOGIN_FAILURES_PER_ACCOUNT: 1_000_000,
  LOGIN_FAILURES_PER_ADDRESS: 1_000_000,
  // Measures the hashing of production.
  PASSWORD_HASH_COST: 'owasp',
});

/**
 * The sign test: known and unknown users are asked in pairs, in alternating order, and it counts how often the known
 * one took longer. Without a timing leak that is a coin, however busy the machine is.
 */
async function slowerShare(first: () => Promise<number>, second: () => Promise<number>): Promise<number> {
  let slower = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const swapped = pair % 2 === 1;
    const [early, late] = swapped ? [second, first] : [first, second];
    const [a, b] = [await early(), await late()];
    if (swapped ? b > a : a > b) slower++;
  }
  return slower / PAIRS;
}

const timed = (email: () => string) => async () => {
  const start = performance.now();
  const answer = await plane.call('POST', CREATE, { email: email(), password: 'a wrong password' });
  if (answer.status !== 401) throw new Error(answer.text);
  return performance.now() - start;
};

let made = 0;
const unknown = timed(() => `nobody${made++}.${Date.now()}@example.com`);

t.test('the time of a failed login does not tell whether the user exists', async (t) => {
  const { email } = await plane.customer();
  const { passwordHash } = await stores.db.user.findUniqueOrThrow({ where: { email } });
  t.match(passwordHash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/, 'the hash is what production stores');
  // Both take the same way once, so that neither pays for what is done the first time.
  await timed(() => email)();
  await unknown();
  const share = await slowerShare(
    timed(() => email),
    unknown,
  );
  // Of 60 throws of a coin fewer than 14 or more than 46 heads come once in 40,000.
  t.ok(
    share > 14 / PAIRS && share < 46 / PAIRS,
    `the known user was slower in ${(share * 100).toFixed(0)} %`,
  );
});

t.test('the same test finds a difference where there is one', async (t) => {
  const { email } = await plane.customer();
  // The result without a hash for unknown users: a known user's password costs one, an unknown user's nothing.
  const quick = async () => {
    const start = performance.now();
    await plane.call('POST', '/api/v1/auth/jwt/verify/', { token: 'x' });
    return performance.now() - start;
  };
  const share = await slowerShare(
    timed(() => email),
    quick,
  );
  t.ok(share >= 46 / PAIRS, `${(share * 100).toFixed(0)} %`);
});
