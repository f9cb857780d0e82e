import { http } from '@verdict/local-stack/http.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { startCountingProxy } from '../harness/start-counting-proxy.js';

/** One key in a loop over /usage/ took half a core of the control plane: every look was a sum over Postgres. */
const LOOKS = 400;

const stack = await startStack();
t.teardown(() => stack.stop());
const asked = await startCountingProxy(stack.controlPlane.internalUrl);
t.teardown(() => asked.stop());
const gateway = await startService('gateway', {
  ...stack.environments.gateway,
  CONTROL_PLANE_INTERNAL_URL: asked.url,
  LOOKS_PER_SECOND: 20,
});
t.teardown(() => gateway.stop());
const look = (path: string) =>
  http<{ code?: string; checks_used: number; checks_limit: number; upgrade_url: string }>(
    `${gateway.url}/api/v1/${path}`,
    { headers: { 'x-api-key': stack.apiKey } },
  );

t.test('a loop of looks reaches the control plane once a second, and is told to slow down', async (t) => {
  const beganAt = Date.now();
  const answers: Awaited<ReturnType<typeof look>>[] = [];
  for (let i = 0; i < LOOKS; i += 40) {
    answers.push(...(await Promise.all(Array.from({ length: 40 }, () => look('usage/')))));
  }
  const seconds = Math.ceil((Date.now() - beganAt) / 1000);
  t.ok(
    asked.count('/internal/accounts/') <= seconds + 1,
    `${asked.count('/internal/accounts/')} in ${seconds} s`,
  );
  const refused = answers.filter(({ status }) => status === 429);
  t.ok(answers.filter(({ status }) => status === 200).length <= 20 * (seconds + 1));
  t.ok(refused.length > 0);
  t.match(refused[0]?.body, { code: 'rate_limited', checks_used: 0, upgrade_url: /^\// });
  t.ok(Number(refused[0]?.headers['retry-after']) > 0);
  const spent = await look('status/');
  t.ok(spent.status === 429 || spent.status === 200);
});

t.test('what a look tells of the counter is never old', async (t) => {
  const used = async () => {
    for (;;) {
      const { status, body } = await look('usage/');
      if (status === 200) return body.checks_used;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const before = await used();
  const checked = await http(`${gateway.url}/api/v1/check/`, {
    headers: { 'x-api-key': stack.apiKey },
    json: { email: 'a@example.com' },
  });
  t.equal(checked.status, 200);
  t.equal(await used(), before + 1);
});
