import { randomFillSync } from 'node:crypto';
import { createApiKey } from '@verdict/domain/api-key.js';
import t from 'tap';
import { startGateway } from './support/start-gateway.js';

const apiKey = createApiKey(randomFillSync);
const gateway = await startGateway({ TRY_API_KEY: apiKey });
t.teardown(() => gateway.close());
await gateway.account({ apiKey, limit: 5 });

const tryAddress = (email: string, remoteAddress = '203.0.113.1') =>
  gateway.app.inject({ method: 'POST', url: '/api/v1/try/', payload: { email }, remoteAddress });

t.test('a guest gets the verdict of a check, charged to the key that is set aside', async (t) => {
  const answer = await tryAddress('somebody@mailinator.com');
  t.equal(answer.statusCode, 200);
  t.match(answer.json(), { success: true, decision: 'block', id: /^log_/ });
  const usage = await gateway.app.inject({ url: '/api/v1/usage/', headers: { 'x-api-key': apiKey } });
  t.match(usage.json(), { checks_used: 1 });
});

t.test('the quota of that key holds, and a bad address costs nothing of it', async (t) => {
  t.equal((await tryAddress('not an address', '203.0.113.2')).statusCode, 400);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => tryAddress(`p${i}@gmail.com`, '203.0.113.2')),
  );
  const statuses = answers.map(({ statusCode }) => statusCode).sort();
  t.strictSame(statuses, [200, 200, 200, 200, 429, 429], 'four of five were left');
});

t.test('a client address has ten tries a minute', async (t) => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => tryAddress('x', '203.0.113.3')));
  t.equal(answers.filter(({ statusCode }) => statusCode === 429).length, 2);
  t.equal((await tryAddress('x', '203.0.113.4')).statusCode, 400, 'another one is not slowed');
});

t.test(
  'the index names the route where there is a key for it, and without one there is no route',
  async (t) => {
    const index = { url: '/api/v1/' };
    t.match((await gateway.app.inject(index)).json(), { try: 'POST /api/v1/try/' });
    const plain = await startGateway();
    t.teardown(() => plain.close());
    t.equal((await plain.app.inject(index)).json().try, undefined);
    const answer = await plain.app.inject({
      method: 'POST',
      url: '/api/v1/try/',
      payload: { email: 'a@b.com' },
    });
    t.equal(answer.statusCode, 404);
  },
);
