import { randomBytes } from 'node:crypto';
import { dereference } from '@readme/openapi-parser';
import { eventually } from '@verdict/local-stack/eventually.js';
import { type HttpAnswer, type HttpRequest, http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import { accountKey, usedField } from '@verdict/redis-store/keys.js';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import t, { type Test } from 'tap';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

const CONNECTIONS = 64;

const stack = await openStack();
t.teardown(() => stack.stop());

type Body = Record<string, never> & { [field: string]: unknown };
interface Key {
  readonly id: string;
  readonly value: string;
}
interface Customer {
  readonly access: string;
  api<T = Body>(path: string, request?: HttpRequest): Promise<HttpAnswer<T>>;
  createKey(): Promise<Key>;
}

const at = (gateway: number, path: string) => `${stack.baseUrls[gateway % 2]}${path}`;
const check = (gateway: number, key: string, email = 'someone@example.com') =>
  http<Body>(at(gateway, 'check/'), { headers: { 'x-api-key': key }, json: { email } });

/** Registered and logged in through a gateway. */
async function customer(plan = 'scale'): Promise<Customer> {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const password = 'vivid-otter-harbour-9';
  const registered = await http(at(0, 'auth/users/'), { json: { email, password } });
  if (registered.status !== 201) throw new Error(registered.text);
  const { body } = await http<{ access: string }>(at(1, 'auth/jwt/create/'), { json: { email, password } });
  const { access } = body;
  const api = <T = Body>(path: string, { headers, ...rest }: HttpRequest = {}) =>
    http<T>(at(0, path), { ...rest, headers: { authorization: `Bearer ${access}`, ...headers } });
  const changed = await api('billing/subscription/', { method: 'PUT', json: { plan } });
  if (changed.status !== 200) throw new Error(changed.text);
  return {
    access,
    api,
    async createKey() {
      const made = await api<{ key: { id: string }; api_key: string }>('dashboard/keys/', {
        json: { name: 'k' },
      });
      return { id: made.body.key.id, value: made.body.api_key };
    },
  };
}

interface Seen {
  readonly startedAt: number;
  readonly answer: HttpAnswer<Body>;
}

/** Keeps so many checks in flight over both gateways, until told to stop; returns what each one met. */
function load(key: string): { stop(): Promise<Seen[]>; seen: readonly Seen[] } {
  const seen: Seen[] = [];
  let running = true;
  const loops = Array.from({ length: CONNECTIONS }, async (_, i) => {
    while (running) {
      const startedAt = performance.now();
      seen.push({ startedAt, answer: await check(i, key) });
    }
  });
  return {
    seen,
    async stop() {
      running = false;
      await Promise.all(loops);
      return seen;
    },
  };
}

t.test('a key made in the dashboard works on every gateway at once', async (t) => {
  const { createKey, api } = await customer('free');
  for (let round = 0; round < 5; round++) {
    const { id, value } = await createKey();
    for (const gateway of [0, 1]) t.equal((await check(gateway, value)).status, 200);
    await api(`dashboard/keys/${id}/`, { method: 'DELETE' });
    for (const gateway of [0, 1]) t.equal((await check(gateway, value)).status, 403);
  }
});

t.test('no check that starts after a revocation was answered is admitted, on either gateway', async (t) => {
  const { createKey, api } = await customer();
  for (let round = 0; round < 5; round++) {
    const { id, value } = await createKey();
    const traffic = load(value);
    await eventually(() => traffic.seen.length > CONNECTIONS * 2);
    const revoked = await api(`dashboard/keys/${id}/`, { method: 'DELETE' });
    const answeredAt = performance.now();
    t.equal(revoked.status, 200);
    const before = traffic.seen.length;
    await eventually(() => traffic.seen.length > before + CONNECTIONS * 3);
    const seen = await traffic.stop();
    const after = seen.filter(({ startedAt }) => startedAt > answeredAt);
    t.ok(after.length > CONNECTIONS);
    t.same([...new Set(after.map(({ answer }) => answer.status))], [403], `${after.length} checks after it`);
    t.ok(
      seen.some(({ answer }) => answer.status === 200),
      'and it did work before',
    );
    t.same(
      seen
        .filter(({ answer }) => answer.status !== 200 && answer.status !== 403)
        .map(({ answer }) => answer.status),
      [],
    );
  }
});

t.test(
  'no check that starts after a plan change was answered sees the old plan, on either gateway',
  async (t) => {
    const { createKey, api } = await customer('starter');
    const { value } = await createKey();
    const limits = { growth: 250_000, scale: 5_000_000 };
    const traffic = load(value);
    for (const plan of ['growth', 'scale'] as const) {
      const before = traffic.seen.length;
      await eventually(() => traffic.seen.length > before + CONNECTIONS);
      const changed = await api<{ checks_limit: number }>('billing/subscription/', {
        method: 'PUT',
        json: { plan },
      });
      const answeredAt = performance.now();
      t.equal(changed.body.checks_limit, limits[plan]);
      const since = () => traffic.seen.filter(({ startedAt }) => startedAt > answeredAt);
      await eventually(() => since().length > CONNECTIONS);
      const shown = new Set(since().map(({ answer }) => answer.headers['x-quota-limit']));
      t.same([...shown], [String(limits[plan])], `${plan}: ${since().length} checks after it`);
      for (const gateway of [0, 1]) {
        const usage = await http<Body>(at(gateway, 'usage/'), { headers: { 'x-api-key': value } });
        t.match(usage.body, { plan, checks_limit: limits[plan] });
      }
    }
    const seen = await traffic.stop();
    t.same(
      seen.filter(({ answer }) => answer.status !== 200).map(({ answer }) => answer.status),
      [],
    );
  },
);

t.test('a smaller plan begins with the next month, and then stops on the very next check', async (t) => {
  const { createKey, api, access } = await customer('starter');
  const { value } = await createKey();
  const redis = new Redis(stack.redis.url);
  t.teardown(() => redis.disconnect());
  t.equal((await check(0, value)).status, 200);
  const accountId = JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()).acc;
  const month = new Date().toISOString().slice(0, 7);
  await redis.hset(accountKey(accountId, 1), usedField(month), '1500');
  const { headers } = await check(1, value);
  t.equal(headers['x-quota-remaining'], '23499', '1,501 of 25,000');
  await api('billing/subscription/', { method: 'PUT', json: { plan: 'free' } });
  t.equal((await check(0, value)).status, 200, 'the month is paid for');

  const postgres = new Client({ connectionString: stack.database.url });
  await postgres.connect();
  t.teardown(() => postgres.end());
  await postgres.query("SELECT apply_due_plan_changes_of($1, now() + interval '31 days')", [accountId]);
  await eventually(async () => (await check(0, value)).status === 429);
  for (const gateway of [0, 1]) {
    const refused = await check(gateway, value);
    t.equal(refused.status, 429);
    t.match(refused.body, { checks_limit: 1000, upgrade_url: '/api/v1/billing/subscription/' });
  }
});

t.test('an entry of the account’s lists decides from the next check on', async (t) => {
  const { createKey, api } = await customer();
  const { value } = await createKey();
  const email = 'Jane@good.example';
  const added = await api<{ entry: { id: string } }>('lists/block/', { json: { value: 'good.example' } });
  for (const gateway of [0, 1]) {
    t.match((await check(gateway, value, email)).body, { decision: 'block', risk_score: 100 });
  }
  await api('lists/allow/', { json: { value: 'jane@GOOD.example' } });
  for (const gateway of [0, 1]) {
    t.match(
      (await check(gateway, value, email)).body,
      { decision: 'allow', risk_score: 0 },
      'the address wins',
    );
  }
  await api(`lists/block/${added.body.entry.id}/`, { method: 'DELETE' });
  t.not((await check(0, value, 'other@good.example')).body.risk_score, 100);
});

t.test(
  'the playground checks with a token and a key of one’s own, and counts and logs like any other',
  async (t) => {
    const mine = await customer();
    const theirs = await customer();
    const [key, other] = [await mine.createKey(), await theirs.createKey()];
    const play = (json: object, headers: Record<string, string> = {}) =>
      mine.api<Body>('check/', { json, headers });
    const email = 'someone@playground.example';
    const good = await play({ email, api_key_id: key.id });
    t.equal(good.status, 200);
    t.equal((await play({ email })).status, 400);
    t.equal((await play({ email, api_key_id: other.id })).status, 403);
    t.equal((await play({ email, api_key_id: key.id }, { 'x-api-key': other.value })).status, 403);
    t.equal((await play({ email, api_key_id: key.id }, { 'x-api-key': key.value })).status, 200);
    const logs = await eventually(async () => {
      const { body } = await mine.api<{ logs: { id: string; key_id: string }[] }>(
        'dashboard/logs/?domain=playground.example',
      );
      return body.logs.length === 2 && body.logs;
    });
    t.match(
      logs.find(({ id }) => id === String(good.body.id)),
      { key_id: key.id, email, decision: good.body.decision },
    );
    const detail = await mine.api(`dashboard/logs/${good.body.id}/`);
    t.equal(detail.status, 200);
    t.equal((await theirs.api(`dashboard/logs/${good.body.id}/`)).status, 404);
    const usage = await mine.api<{ checks_used: number }>('billing/subscription/');
    t.equal(usage.body.checks_used, 2, 'refusals count nothing');
    t.match((await theirs.api('billing/subscription/')).body, { checks_used: 0 });
    await eventually(async () => {
      const shown = await mine.api<{ key: { last_used_at: string | null } }>(`dashboard/keys/${key.id}/`);
      return shown.body.key.last_used_at;
    });
  },
);

t.test(
  'a tag travels from a check, a batch and a test key to the log, and counts where checks count',
  async (t) => {
    const { api, createKey } = await customer();
    const { value } = await createKey();
    const test = await api<{ api_key: string }>('dashboard/keys/', { json: { name: 't', mode: 'test' } });
    const send = (path: string, key: string, json: object) =>
      http<Body>(at(0, path), { headers: { 'x-api-key': key }, json });
    const email = 'someone@example.com';
    const answers = [
      await send('check/', value, { email, tag: 'sign-up' }),
      await send('check/?expand=signals', value, { email, tag: 'sign-up' }),
      await send('check/', value, { email }),
      await send('check/batch/', value, {
        items: [
          { email, tag: 'import 7' },
          { email, tag: null },
        ],
      }),
      await send('check/', test.body.api_key, { email, tag: 'sign-up' }),
    ];
    t.same(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    );
    t.notMatch(JSON.stringify(answers[0]?.body), 'sign-up', 'an answer has no field more');
    t.equal((await send('check/', value, { email, tag: 'a@b.example' })).status, 400);
    await eventually(async () => (await api<{ total: number }>('dashboard/usage/tags/')).body.total === 5);
    t.match((await api('dashboard/usage/tags/')).body, {
      tags: [
        { tag: 'sign-up', checks: 2 },
        { tag: 'import 7', checks: 1 },
      ],
      other: 0,
      untagged: 2,
    });
    const logsOf = async (query: string) =>
      (await api<{ logs: { tag: string }[] }>(`dashboard/logs/?${query}`)).body.logs.map(({ tag }) => tag);
    t.same(await logsOf('tag=sign-up'), ['sign-up', 'sign-up']);
    await eventually(async () => (await logsOf('mode=test&tag=sign-up')).length === 1);
  },
);

t.test('answers of the gateway are as the OpenAPI document of the control plane says', async (t) => {
  const { createKey } = await customer('free');
  const { value } = await createKey();
  const document = (await dereference((await http<never>(at(0, 'openapi.json'))).body)) as OpenApi;
  const headers = { 'x-api-key': value };
  const json = { email: 'someone@example.com' };
  const answers: [string, string, HttpAnswer<Body>][] = [
    ['post', '/api/v1/check/', await http(at(0, 'check/'), { headers, json })],
    ['post', '/api/v1/check/', await http(at(0, 'check/?expand=signals,breakdown'), { headers, json })],
    ['post', '/api/v1/check/', await http(at(0, 'check/'), { headers, json: { email: 1 } })],
    ['post', '/api/v1/check/', await http(at(0, 'check/'), { json })],
    ['get', '/api/v1/status/', await http(at(1, 'status/'), { headers })],
    ['get', '/api/v1/status/', await http(at(1, 'status/'))],
    ['get', '/api/v1/usage/', await http(at(1, 'usage/'), { headers })],
  ];
  for (const [method, path, answer] of answers) asDocumented(t, document, method, path, answer);
});

t.test('no log line holds a key, a token, a password or an address', async (t) => {
  const { access, createKey, api } = await customer();
  const { value } = await createKey();
  const email = 'canary-person@canary.example';
  await check(0, value, email);
  await api('lists/block/', { json: { value: email, note: 'canary-note' } });
  await http(at(0, 'auth/jwt/create/'), { json: { email, password: 'canary-password' } });
  await http(at(0, 'auth/jwt/refresh/'), { json: { refresh: 'canary-refresh' } });
  await api('dashboard/logs/?email=canary-person%40canary.example');
  const output = (await stack.outputs()).map(({ text }) => text).join('\n');
  for (const secret of [value, access, email, 'canary-password', 'canary-refresh', 'canary-note']) {
    t.notOk(output.includes(secret), secret.slice(0, 12));
  }
});

interface OpenApi {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content: Record<string, { schema: TSchema }> }> }>
  >;
}

function asDocumented(
  t: Test,
  { paths }: OpenApi,
  method: string,
  path: string,
  answer: HttpAnswer<Body>,
): void {
  const schema = paths[path]?.[method]?.responses[answer.status]?.content['application/json']?.schema;
  const faults = schema ? [...Value.Errors(schema, answer.body)] : ['not in the document'];
  t.same(faults, [], `${method} ${path} ${answer.status}`);
}
