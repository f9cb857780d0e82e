import { setImmediate } from 'node:timers/promises';
import { CHECK_PATH, JOBS_PATH, OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import { RATE_LIMIT_NAMESPACE } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { createRequestLimit } from '../src/forward/limit-requests.js';
import { startGateway } from './support/start-gateway.js';

const PER_MINUTE = 8;
const ME = '/api/v1/auth/users/me/';
const gateway = await startGateway({ REQUESTS_PER_MINUTE: String(PER_MINUTE) });
t.teardown(() => gateway.close());

const ask = (remoteAddress: string, url: string, headers: Record<string, string> = {}) =>
  gateway.app.inject({ url, remoteAddress, headers });

t.test('requests that are not checks are limited by client address, whatever becomes of them', async (t) => {
  const from = '192.0.2.200';
  const post = (url: string, payload: string) =>
    gateway.app.inject({ method: 'POST', url, payload, remoteAddress: from });
  const answers = await Promise.all([
    ask(from, ME),
    ask(from, '/api/v1/dashboard/nothing/'),
    ask(from, '/keys'),
    ask(from, OPENAPI_PATH),
    ask(from, OPENAPI_PATH),
    post(JOBS_PATH, 'email\n'),
    post('/api/v1/auth/jwt/create/', 'x'.repeat(100_000)),
    post('/api/v1/auth/jwt/create/', 'x'.repeat(100_000)),
  ]);
  t.strictSame(
    answers.map(({ statusCode }) => statusCode),
    [401, 404, 404, 200, 200, 401, 413, 413],
  );
  t.match(answers[0]?.headers, { 'ratelimit-limit': PER_MINUTE, 'ratelimit-reset': /\d/ });

  const refused = await ask(from, ME);
  t.match(refused.headers, { 'ratelimit-remaining': '0', 'retry-after': /^[1-9]/ });
  t.match([refused.statusCode, refused.json().code], [429, 'too_many_requests']);
  const [counter = ''] = await gateway.redis.client.keys(`${RATE_LIMIT_NAMESPACE}*requests:${from}`);
  for (const url of [ME, '/keys', OPENAPI_PATH]) t.equal((await ask(from, url)).statusCode, 429, url);
  t.equal(
    await gateway.redis.client.get(counter),
    String(PER_MINUTE + 1),
    'Redis is not asked about it again',
  );

  t.equal((await ask('192.0.2.201', ME)).statusCode, 401, 'another address has its own');
  const check = await gateway.app.inject({
    ...{ method: 'POST', url: CHECK_PATH, remoteAddress: from, payload: { email: 'jane@gmail.com' } },
    headers: { 'x-api-key': await gateway.customer() },
  });
  t.equal(check.statusCode, 200, 'checks have other limits');
});

t.test('of many requests that arrive together, one begins per turn of the event loop', async (t) => {
  let counted = 0;
  const createRateLimit = () => async () => {
    counted++;
    return { isAllowed: true };
  };
  const limit = createRequestLimit({ createRateLimit } as never, 10);
  const all = Promise.all(Array.from({ length: 10 }, () => limit({ ip: '192.0.2.1' } as never, {} as never)));
  const begun: number[] = [];
  while (counted < 10) {
    const before = counted;
    await setImmediate();
    begun.push(counted - before);
  }
  await all;
  t.ok(Math.max(...begun) === 1, `${begun}`);
});
