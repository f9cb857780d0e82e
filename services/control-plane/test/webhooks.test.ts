import { randomFillSync } from 'node:crypto';
import { createSealer } from '@verdict/domain/sealed-text.js';
import t from 'tap';
import { type Customer, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const KEY = Buffer.alloc(32, 7).toString('base64url');
const stores = await startStores(t);
const plane = await startControlPlane(t, stores, { SECRETS_KEY: KEY });
const box = createSealer(KEY, randomFillSync);
const ENDPOINTS = '/api/v1/webhooks/endpoints/';
const DELIVERIES = '/api/v1/webhooks/deliveries/';
const url = 'https://example.com/hooks';

const add = async (customer: Customer, body: object = {}) => {
  const answer = await customer.call('POST', ENDPOINTS, { url, ...body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as { endpoint: { id: string; events: string[] }; secret: string };
};

t.test('a secret is shown once, and kept so that a copy of the database signs nothing', async (t) => {
  const customer = await plane.customer();
  const { endpoint, secret } = await add(customer, { description: 'ours' });
  t.match(secret, /^whsec_/);
  t.match(endpoint, {
    url,
    description: 'ours',
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
  });
  for (const path of [ENDPOINTS, `${ENDPOINTS}${endpoint.id}/`, '/api/v1/dashboard/audit/'])
    t.notMatch((await customer.call('GET', path)).text, secret.slice(6, 30), path);
  const row = await stores.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } });
  t.notMatch(row.secret, secret.slice(6, 30));
  t.equal(box.open(row.secret, endpoint.id), secret);
});

t.test(
  'an endpoint that names no events gets all but the one that comes with every blocked check',
  async (t) => {
    const customer = await plane.customer();
    const { endpoint } = await add(customer);
    t.ok(endpoint.events.includes('quota.warning'));
    t.notOk(endpoint.events.includes('check.blocked'));
    const named = await add(customer, { events: ['check.blocked'] });
    t.same(named.endpoint.events, ['check.blocked']);
    for (const events of [[], ['nonsense'], ['key.created', 'key.created']])
      t.equal((await customer.call('POST', ENDPOINTS, { url, events })).status, 400, JSON.stringify(events));
  },
);

t.test('an account has at most five endpoints, however many are added at once', async (t) => {
  const customer = await plane.customer();
  const answers = await Promise.all(
    Array.from({ length: 9 }, () => customer.call('POST', ENDPOINTS, { url })),
  );
  t.equal(answers.filter(({ status }) => status === 201).length, 5);
  t.match(answers.find(({ status }) => status === 400)?.body, { error: /at most 5/ });
  const { endpoints, endpoints_max } = (await customer.call('GET', ENDPOINTS)).body;
  t.equal(endpoints.length, endpoints_max);
  t.equal((await customer.call('DELETE', `${ENDPOINTS}${endpoints[0].id}/`)).status, 200);
  t.equal((await customer.call('POST', ENDPOINTS, { url })).status, 201);
});

t.test('an endpoint can be changed, disabled and enabled, and each change is audited', async (t) => {
  const customer = await plane.customer();
  const { endpoint } = await add(customer);
  const path = `${ENDPOINTS}${endpoint.id}/`;
  const change = async (body: object) => (await customer.call('PATCH', path, body)).body.endpoint;
  t.match(await change({ url: 'https://example.org/', events: ['key.revoked'], description: null }), {
    url: 'https://example.org/',
    events: ['key.revoked'],
  });
  t.equal((await customer.call('PATCH', path, { url: 'http://example.org/' })).status, 400);
  t.equal((await customer.call('PATCH', path, {})).status, 400);
  await stores.db.webhookEndpoint.update({
    where: { id: endpoint.id },
    data: { failures: 9, failingSince: new Date(), pausedUntil: new Date(Date.now() + 1e6) },
  });
  const test = await customer.call('POST', `${path}test/`);
  t.equal(test.status, 202);
  t.match(await change({ enabled: false }), { status: 'disabled', disabled_reason: 'user' });
  const given = await customer.call('GET', `${DELIVERIES}${test.body.delivery_id}/`);
  t.match(given.body.delivery, { status: 'failed', error: 'the endpoint was disabled' });
  for (const refused of [
    await customer.call('POST', `${path}test/`),
    await customer.call('POST', `${DELIVERIES}${test.body.delivery_id}/retry/`),
  ])
    t.match(refused, { status: 409, body: { code: 'endpoint_disabled' } });
  t.match(await change({ enabled: true }), { status: 'enabled', disabled_reason: null, failing_since: null });
  const audit = (await customer.call('GET', '/api/v1/dashboard/audit/')).body.events;
  t.same(
    audit
      .filter(({ target }: { target: string }) => target === endpoint.id)
      .map((one: { action: string }) => one.action),
    ['webhook.updated', 'webhook.updated', 'webhook.updated', 'webhook.created'],
  );
});

t.test('rolling keeps the old secret for the overlap', async (t) => {
  const customer = await plane.customer();
  const { endpoint, secret } = await add(customer);
  const rolled = await customer.call('POST', `${ENDPOINTS}${endpoint.id}/roll/`, { overlap_seconds: 60 });
  t.equal(rolled.status, 200);
  t.not(rolled.body.secret, secret);
  t.ok(Date.parse(rolled.body.old_secret_expires_at) > Date.now());
  const row = await stores.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } });
  t.equal(box.open(row.secret, endpoint.id), rolled.body.secret);
  t.equal(box.open(row.oldSecret ?? '', endpoint.id), secret);
  t.equal(
    (await customer.call('POST', `${ENDPOINTS}${endpoint.id}/roll/`)).status,
    200,
    'a body is not needed',
  );
});

t.test('deliveries can be read page by page and asked for by endpoint, status and event', async (t) => {
  const customer = await plane.customer();
  const { endpoint } = await add(customer);
  const other = await add(customer, { events: ['plan.changed'] });
  const { key } = (await customer.call('POST', '/api/v1/dashboard/keys/', { name: 'k' })).body;
  await customer.call('DELETE', `/api/v1/dashboard/keys/${key.id}/`);
  await customer.call('POST', `${ENDPOINTS}${other.endpoint.id}/test/`);
  const read = async (query: string) => (await customer.call('GET', `${DELIVERIES}?${query}`)).body;
  const first = await read('limit=2');
  t.equal(first.deliveries.length, 2);
  t.equal(first.has_more, true);
  const second = await read(`limit=2&cursor=${encodeURIComponent(first.next_cursor)}`);
  const types = [...first.deliveries, ...second.deliveries].map(
    (one: { event_type: string }) => one.event_type,
  );
  t.same(types, ['webhook.test', 'key.revoked', 'key.created'], 'newest first');
  t.equal((await read(`endpoint=${endpoint.id}`)).deliveries.length, 2);
  t.equal((await read('event=key.created')).deliveries.length, 1);
  t.equal((await read('status=delivered')).deliveries.length, 0);
  const one = await customer.call('GET', `${DELIVERIES}${second.deliveries[0].id}/`);
  t.match(one.body, { body: { type: 'key.created', data: { key_id: key.id } }, attempts: [] });
});

t.test('a replay says how many it queued, and what is wrong with its times', async (t) => {
  const customer = await plane.customer();
  await customer.call('POST', '/api/v1/dashboard/keys/', { name: 'k' });
  const { endpoint } = await add(customer);
  const replay = (from: string, to: string) =>
    customer.call('POST', `${ENDPOINTS}${endpoint.id}/replay/`, { from, to });
  t.match(await replay('2026-01-01T00:00:00Z', '2099-01-01T00:00:00+00:00'), {
    status: 202,
    body: { queued: 1 },
  });
  t.match(await replay('2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z'), { status: 202, body: { queued: 0 } });
  t.match(await replay('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'), {
    status: 400,
    body: { error: /^to/ },
  });
  t.match(await replay('2026-13-01T00:00:00Z', '2099-01-01T00:00:00Z'), {
    status: 400,
    body: { error: /^from/ },
  });
  t.equal((await replay('yesterday', 'today')).status, 400);
});

t.test('without a key to keep secrets with there are no webhooks, and it says so', async (t) => {
  const without = await startControlPlane(t, stores, { SECRETS_KEY: undefined as never });
  const customer = await without.customer();
  t.match(await customer.call('POST', ENDPOINTS, { url }), { status: 503, body: { code: 'not_set_up' } });
});

t.test('the document describes every message that is sent', async (t) => {
  const { body } = await plane.call('GET', '/api/v1/openapi.json');
  t.match(body.webhooks['quota.warning'].post, {
    operationId: 'receiveQuotaWarning',
    requestBody: {
      content: { 'application/json': { schema: { properties: { type: { const: 'quota.warning' } } } } },
    },
  });
  t.same(
    Object.keys(body.webhooks).sort(),
    body.paths['/api/v1/webhooks/endpoints/'].post.requestBody.content[
      'application/json'
    ].schema.properties.events.items.enum.sort(),
  );
});

t.test(
  'an account sends at most ten test messages a minute, however many are asked for at once',
  async (t) => {
    const customer = await plane.customer();
    const endpoints = [await add(customer), await add(customer)];
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, i) =>
        customer.call('POST', `${ENDPOINTS}${endpoints[i % 2]?.endpoint.id}/test/`),
      ),
    );
    t.equal(answers.filter(({ status }) => status === 202).length, 10);
    const refused = answers.filter(({ status }) => status === 429);
    t.equal(refused.length, 4);
    t.match(refused[0]?.body, { code: 'too_many_requests', error: /At most 10 test messages a minute/ });
    const id = endpoints[0]?.endpoint.id;
    await stores.db.$executeRaw`UPDATE webhook_events SET created_at = created_at - interval '1 minute'`;
    t.equal((await customer.call('POST', `${ENDPOINTS}${id}/test/`)).status, 202, 'a minute later');
  },
);
