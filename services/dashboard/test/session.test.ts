import t from 'tap';

const answers: Response[] = [];
const asked: string[] = [];
/** Messages to other tabs. */
const told: unknown[] = [];

Object.assign(globalThis, {
  BroadcastChannel: class {
    onmessage: unknown = null;
    postMessage = (message: unknown) => told.push(message);
  },
  fetch: async (path: string) => {
    asked.push(path);
    const answer = answers.shift();
    if (!answer) throw new TypeError('no answer');
    return answer;
  },
});
// Node 21 and later have one that cannot be assigned.
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
const json = (status: number, body: object) => new Response(JSON.stringify(body), { status });

const { session } = await import('../src/api/session.ts');

t.beforeEach(() => {
  answers.length = 0;
  asked.length = 0;
  told.length = 0;
});

t.test('concurrent requests with a stale token trade the refresh token once', async (t) => {
  answers.push(json(200, { access: 'one' }));
  t.strictSame(await Promise.all([session.renew(null), session.renew(null)]), [true, true]);
  t.strictSame(asked, ['/api/v1/auth/jwt/refresh/']);
  t.equal(session.access, 'one');
  t.equal(session.state(), 'in');
  t.strictSame(told, [{ access: 'one', left: false }], 'other tabs take the same token');
});

t.test('a server that is down leaves the session as it is', async (t) => {
  answers.push(json(503, { error: 'away', code: 'unavailable' }));
  await t.rejects(session.renew('one'), { status: 503, code: 'unavailable' });
  await t.rejects(session.renew('one'), { code: 'unreachable' });
  t.equal(session.state(), 'in');
});

t.test('a refused refresh ends the session, and listeners hear it', async (t) => {
  let heard = 0;
  const leave = session.subscribe(() => {
    heard += 1;
  });
  answers.push(json(401, { error: 'ended', code: 'invalid_token' }));
  t.equal(await session.renew('one'), false);
  t.equal(session.state(), 'out');
  t.equal(session.left, false, 'it ended; the user did not log out');
  t.equal(heard, 1);
  leave();
});

t.test('a login opens the session and a logout closes it for good', async (t) => {
  answers.push(json(200, { access: 'two' }));
  await session.logIn('jane@example.com', 'vivid-otter-harbour-9');
  t.equal(session.access, 'two');
  answers.push(json(200, {}));
  await session.logOut();
  t.strictSame([session.state(), session.left], ['out', true]);
});
