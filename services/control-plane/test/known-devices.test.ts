import t from 'tap';
import { type Answer, PASSWORD, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const CREATE = '/api/v1/auth/jwt/create/';
const stores = await startStores(t);
const plane = await startControlPlane(t, stores, { LOGIN_FAILURES_PER_ADDRESS: 20 });

const from = (ip: string, cookie?: string) => ({ 'x-forwarded-for': ip, ...(cookie && { cookie }) });
const deviceOf = (answer: Answer): string =>
  [answer.headers['set-cookie']]
    .flat()
    .map((cookie) => String(cookie).split(';')[0] ?? '')
    .find((cookie) => cookie.startsWith('verdict_device=')) ?? '';

async function browserOf(email: string, ip: string): Promise<string> {
  const login = await plane.call('POST', CREATE, { email, password: PASSWORD, cookie: true }, from(ip));
  return deviceOf(login);
}

const guess = (email: string, count: number, ip: (i: number) => string) =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      plane.call('POST', CREATE, { email, password: `guess ${i}` }, from(ip(i))),
    ),
  );

t.test(
  'whatever strangers guess, a browser that was here before still gets in, from any network',
  async (t) => {
    const { email } = await plane.customer();
    const device = await browserOf(email, '198.51.100.1');
    t.match(device, /^verdict_device=[\w-]{43}$/);
    const guesses = await guess(email, 40, (i) => `203.0.113.${i + 1}`);
    t.ok(
      guesses.some(({ status }) => status === 429),
      'the user is locked for strangers',
    );
    const good = { email, password: PASSWORD, cookie: true };
    t.equal(
      (await plane.call('POST', CREATE, good, from('192.0.2.9'))).status,
      429,
      'a new browser on a new network',
    );
    t.equal((await plane.call('POST', CREATE, good, from('192.0.2.9', device))).status, 200);
  },
);

t.test('nor do guesses from its own network lock a known browser out', async (t) => {
  const { email } = await plane.customer();
  const device = await browserOf(email, '198.51.100.7');
  const guesses = await guess(email, 30, () => '198.51.100.7');
  t.ok(guesses.some(({ status }) => status === 429));
  const others = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      plane.call(
        'POST',
        CREATE,
        { email: `nobody${i}@example.com`, password: 'a guess' },
        from('198.51.100.7'),
      ),
    ),
  );
  t.ok(
    others.some(({ status }) => status === 429),
    'the whole network has used up its failures',
  );
  const good = { email, password: PASSWORD, cookie: true };
  t.equal((await plane.call('POST', CREATE, good, from('198.51.100.7', device))).status, 200);
});

t.test('a known browser has ten tries of its own, and is known for its own user only', async (t) => {
  const { email } = await plane.customer();
  const device = await browserOf(email, '198.51.100.11');
  const tries = await Promise.all(
    Array.from({ length: 15 }, (_, i) =>
      plane.call(
        'POST',
        CREATE,
        { email, password: `slip ${i}`, cookie: true },
        from('198.51.100.12', device),
      ),
    ),
  );
  t.equal(tries.filter(({ status }) => status === 401).length, 10);
  const victim = await plane.customer();
  await guess(victim.email, 12, (i) => `203.0.113.${i + 100}`);
  const borrowed = await plane.call(
    'POST',
    CREATE,
    { email: victim.email, password: PASSWORD, cookie: true },
    from('192.0.2.50', device),
  );
  t.equal(borrowed.status, 429, 'the cookie of one user is no free pass to another');
});

t.test('an invented device is a stranger', async (t) => {
  const { email } = await plane.customer();
  await guess(email, 12, (i) => `203.0.113.${i + 200}`);
  for (const cookie of [
    `verdict_device=${'a'.repeat(43)}`,
    'verdict_device=',
    `verdict_device=${'x'.repeat(5000)}`,
  ])
    t.equal(
      (
        await plane.call(
          'POST',
          CREATE,
          { email, password: PASSWORD, cookie: true },
          from('192.0.2.60', cookie),
        )
      ).status,
      429,
    );
});
