import { API_PREFIX } from '@verdict/contracts/api-paths.js';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { ATTACKED } from './attacked-routes.js';
import { createAttacker } from './attacker.js';
import { fillAccount } from './fill-account.js';
import { largestRequest } from './largest-request.js';
import { createNeighbour } from './neighbour.js';
import { residentBytes } from './resident-bytes.js';

/** Every route of the contract, attacked with the most that it declares, in the heap that a container of 512 MB leaves. */
const CONTAINER_BYTES = 512 * 1024 * 1024;
const NODE_OPTIONS = '--max-old-space-size=256';
const AT_ONCE = 4;
const ACTS = ['checks', 'login', 'revocation', 'page'];

// The limit by address would refuse most of the attack before it reaches a route.
const stack = await startStack({
  env: {
    gateway: { NODE_OPTIONS, REQUESTS_PER_MINUTE: 1_000_000_000, AUTH_FAILURES_PER_MINUTE: 1_000_000_000 },
    'control-plane': { NODE_OPTIONS },
  },
});
t.teardown(() => stack.stop());
const neighbour = await createNeighbour(stack);
t.teardown(() => neighbour.stop());
const origin = new URL(stack.baseUrls[0] ?? '').origin;
const attacker = createAttacker({
  attack: 'every route',
  number: 90,
  baseUrl: stack.baseUrls[0] ?? '',
  databaseUrl: stack.database.url,
  accounts: [await stack.createAccount('free'), await stack.createAccount('free')],
});
const account = await attacker.account();
const ids = await fillAccount(attacker, account);
const credentials = (callers: string, of = account) => (callers.startsWith('key') ? of.byKey : of.byToken);

t.test(
  'the neighbour is served while every route is attacked, and no route takes more than it declares',
  async (t) => {
    let isOver = false;
    let rounds = 0;
    const acting = (async () => {
      while (!isOver) {
        for (const act of ACTS) await neighbour.acts[act]?.();
        rounds += 1;
      }
    })();
    // The loop is awaited at the end; a failure must not go unseen until then.
    acting.catch(() => undefined);
    for (const route of ATTACKED) {
      const { method, path, body, type } = largestRequest(route, ids);
      const name = `${method} ${route.path}`;
      const { bytesOut, rows } = route.takes;
      const ask = () =>
        http<Record<string, unknown>>(`${origin}${API_PREFIX}/${path}`, {
          method,
          headers: { ...credentials(route.callers), ...(type && { 'content-type': type }) },
          ...(body !== undefined && { body }),
        });
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, ask));
      for (const { status, text, headers, body: answer } of answers) {
        t.ok(status < 500, `${name}: ${status} ${text.slice(0, 200)}`);
        if (!String(headers['content-type']).startsWith('application/json')) continue;
        t.ok(Buffer.byteLength(text) <= bytesOut, `${name}: ${text.length} bytes`);
        for (const [field, value] of Object.entries(answer))
          if (Array.isArray(value)) t.ok(value.length <= rows, `${name}: ${value.length} ${field}`);
      }
    }
    isOver = true;
    await acting;
    t.ok(rounds > 0, `${rounds} rounds of the neighbour went through`);
  },
);

t.test('a body that is larger than its route declares is refused for its size', async (t) => {
  const fresh = await attacker.account();
  for (const { method, path, callers, takes, tag } of ATTACKED) {
    // Files are streams, and this server has no key for guests of a front page.
    if (method === 'GET' || tag === 'jobs' || path === '/try/') continue;
    const { status } = await http(`${origin}${API_PREFIX}${path.replaceAll(/:\w+/g, '1')}`, {
      method,
      headers: { ...credentials(callers, fresh), 'content-type': 'application/json' },
      body: JSON.stringify('x'.repeat(takes.bytesIn)),
    });
    t.equal(status, 413, `${method} ${path}`);
  }
});

t.test('afterwards every service fits into its container', async (t) => {
  for (const service of [...stack.gateways, stack.controlPlane]) {
    const bytes = residentBytes(service.pid);
    t.ok(bytes > 0 && bytes < CONTAINER_BYTES, `${service.name} has ${Math.round(bytes / 1024 / 1024)} MB`);
  }
});
