import { randomFillSync } from 'node:crypto';
import { createApiKey } from '@verdict/domain/api-key.js';
import { http } from '@verdict/local-stack/http.js';
import type { Test } from 'tap';
import type { WatchedGateway } from './watched-gateway.js';

/** Well-formed keys that never were: each cost the control plane a millisecond, long after its address was over the limit. */
export const FAILURES_PER_MINUTE = 20;
const FORGED = 300;

export async function forgedKeys(t: Test, { gateway, asked, apiKey }: WatchedGateway): Promise<void> {
  const check = (key: string) =>
    http<{ code: string }>(`${gateway.url}/api/v1/check/`, {
      headers: { 'x-api-key': key },
      json: { email: 'a@example.com' },
    });
  const forged = () => createApiKey(randomFillSync);

  t.test(
    'over its limit an address costs the control plane nothing, and a good key from it still works',
    async (t) => {
      const begun = asked.count('/internal/keys/');
      for (let i = 0; i <= FAILURES_PER_MINUTE; i++) await check(forged());
      t.equal((await check(forged())).status, 429);
      const before = asked.count('/internal/keys/');
      t.ok(before > begun, 'until then keys were looked for');
      const statuses = new Set<number>();
      for (let i = 0; i < FORGED; i += 20) {
        const answers = await Promise.all(Array.from({ length: 20 }, () => check(forged())));
        for (const { status } of answers) statuses.add(status);
      }
      t.same([...statuses], [429]);
      t.equal(asked.count('/internal/keys/'), before, 'nothing more was asked');
      t.equal((await check(apiKey)).status, 200);
    },
  );
}
