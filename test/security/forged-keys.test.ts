import { randomFillSync } from 'node:crypto';
import { createApiKey } from '@verdict/domain/api-key.js';
import { http } from '@verdict/local-stack/http.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { startCountingProxy } from '../harness/start-counting-proxy.js';

/** Well-formed keys that never were: each cost the control plane a millisecond, long after its address was over the limit. */
const FAILURES_PER_MINUTE = 20;
const FORGED = 300;

const stack = await startStack();
t.teardown(() => stack.stop());
const asked = await startCountingProxy(stack.controlPlane.internalUrl);
t.teardown(() => asked.stop());
const gateway = await startService('gateway', {
  ...stack.environments.gateway,
  CONTROL_PLANE_INTERNAL_URL: asked.url,
  AUTH_FAILURES_PER_MINUTE: FAILURES_PER_MINUTE,
});
t.teardown(() => gateway.stop());

const check = (key: string) =>
  http<{ code: string }>(`${gateway.url}/api/v1/check/`, {
    headers: { 'x-api-key': key },
    json: { email: 'a@example.com' },
  });
const forged = () => createApiKey(randomFillSync);

t.test(
  'over its limit an address costs the control plane nothing, and a good key from it still works',
  async (t) => {
    for (let i = 0; i <= FAILURES_PER_MINUTE; i++) await check(forged());
    t.equal((await check(forged())).status, 429);
    const before = asked.count('/internal/keys/');
    t.ok(before > 0, 'until then keys were looked for');
    const statuses = new Set<number>();
    for (let i = 0; i < FORGED; i += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => check(forged())));
      for (const { status } of answers) statuses.add(status);
    }
    t.same([...statuses], [429]);
    t.equal(asked.count('/internal/keys/'), before, 'nothing more was asked');
    t.equal((await check(stack.apiKey)).status, 200);
  },
);
