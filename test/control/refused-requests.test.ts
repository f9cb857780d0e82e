import type { RefusedReply } from '@verdict/contracts/dashboard/refused-api.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import t from 'tap';

// An account sees why its calls fail: how often, with which code, and a few of them by their request id.

const stack = await openStack({ plan: 'single' });
t.teardown(() => stack.stop());
const base = stack.baseUrls[0] ?? '';

const refusedOf = async ({ email, password }: { email: string; password: string }) => {
  const login = await http<{ access: string }>(`${base}auth/jwt/create/`, { json: { email, password } });
  const headers = { authorization: `Bearer ${login.body.access}` };
  return (await http<RefusedReply>(`${base}dashboard/logs/refused/`, { headers })).body.refused;
};

t.test('refused requests are counted by code, with samples that name fields and nothing sent', async (t) => {
  const secret = 'very-private-name';
  for (let i = 0; i < 7; i++) await stack.api('check/', { json: { email: `${secret}@@x` } });
  const last = await stack.api('check/', { json: { email: `${secret}@@x` } });
  t.equal(last.status, 400);
  await stack.api('check/', { json: { email: 'jane@gmail.com' } });
  t.equal((await stack.api('check/', { json: { email: 'jane@gmail.com' } })).body.code, 'quota_exceeded');
  t.equal((await stack.api('jobs/', { method: 'POST', json: { not: 'a list' } })).status, 400);
  const refused = await eventually(async () => {
    const found = await refusedOf(stack);
    return found.reduce((sum, { count }) => sum + count, 0) >= 10 && found;
  });
  const bad = refused.find(({ status, code }) => status === 400 && code === 'invalid_request');
  t.match(bad, {
    key_id: stack.apiKeyId,
    count: 8,
    samples: [{ path: '/api/v1/check/', fields: ['email'] }],
  });
  t.equal(bad?.samples.length, 5, 'five samples are kept');
  t.ok(bad?.samples.some(({ request_id: id }) => id === last.headers['x-request-id']));
  t.match(
    refused.find(({ status }) => status === 429),
    { code: 'quota_exceeded', count: 1 },
  );
  t.ok(
    refused.some(({ samples }) => samples.some(({ path }) => path === '/api/v1/jobs/')),
    'a refused upload is there too',
  );
  t.notMatch(JSON.stringify(refused), secret);
});

t.test('another account sees none of them', async (t) => {
  t.strictSame(await refusedOf(await stack.createAccount('free')), []);
});
