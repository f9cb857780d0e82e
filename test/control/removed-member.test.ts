import { http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import t from 'tap';
import { newMember, passwordLogin } from '../harness/new-member.js';

const CONNECTIONS = 16;

const stack = await openStack();
t.teardown(() => stack.stop());

const at = (gateway: number, path: string) => `${stack.baseUrls[gateway % 2]}${path}`;
const bearer = (access: string) => ({ authorization: `Bearer ${access}` });

const check = (gateway: number, access: string) =>
  http<{ code?: string }>(at(gateway, 'check/'), {
    json: { email: 'someone@example.com', api_key_id: stack.apiKeyId },
    headers: bearer(access),
  });

t.test(
  'a member removed in a flood passes no gateway with anything that starts after the answer',
  async (t) => {
    const owner = await passwordLogin(at(0, ''), stack.email, stack.password);
    const { id, access } = await newMember(at(1, ''), owner, 'analyst');
    const seen: { startedAt: number; status: number }[] = [];
    let running = true;
    const loops = Array.from({ length: CONNECTIONS }, async (_, i) => {
      while (running) {
        const startedAt = performance.now();
        const ask =
          i % 4 === 0 ? http(at(i / 4, 'dashboard/logs/'), { headers: bearer(access) }) : check(i, access);
        seen.push({ startedAt, status: (await ask).status });
      }
    });
    while (seen.filter(({ status }) => status === 200).length < 50) await new Promise(setImmediate);
    const removed = await http(at(0, `members/${id}/`), { method: 'DELETE', headers: bearer(owner) });
    const removedAt = performance.now();
    t.equal(removed.status, 200);
    while (seen.filter(({ startedAt }) => startedAt > removedAt).length < 200)
      await new Promise(setImmediate);
    running = false;
    await Promise.all(loops);
    const later = seen.filter(({ startedAt }) => startedAt > removedAt);
    t.same(
      [...new Set(later.map(({ status }) => status))].filter((status) => status < 400),
      [],
    );
    t.ok(later.some(({ status }) => status === 401));
  },
);

t.test('a demotion holds at the next check on every gateway, and billing checks no address', async (t) => {
  const owner = await passwordLogin(at(0, ''), stack.email, stack.password);
  const { id, access } = await newMember(at(1, ''), owner, 'admin');
  for (const gateway of [0, 1]) t.equal((await check(gateway, access)).status, 200);
  const changed = await http(at(0, `members/${id}/`), {
    method: 'PATCH',
    json: { role: 'billing' },
    headers: bearer(owner),
  });
  t.equal(changed.status, 200);
  for (const gateway of [0, 1])
    t.match(await check(gateway, access), { status: 403, body: { code: 'role_missing' } });
});
