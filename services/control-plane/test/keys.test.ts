import { KEY_USES_PATH } from '@verdict/contracts/key-uses.js';
import { hashApiKey, isWellFormedApiKey } from '@verdict/domain/api-key.js';
import { monthOf } from '@verdict/domain/month.js';
import { readIdentity } from '@verdict/redis-store/identity.js';
import { credentialOfHash } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { startControlPlane } from './support/control-plane.js';
import { lookAt } from './support/look-at.js';
import { startStores } from './support/stores.js';

const KEYS = '/api/v1/dashboard/keys/';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);

/** The answer that the gateway would get about this value now. */
async function admission(value: string): Promise<'unknown' | 'absent' | 'forbidden' | 'expired' | 'known'> {
  const hash = hashApiKey(value);
  const identity = await readIdentity(stores.redis, hash);
  if (!identity) return 'unknown';
  const { view } = await lookAt(stores.redis, { ...identity, credential: credentialOfHash(hash) });
  return view.state;
}

t.test('a key works at the gateway as soon as its creation is answered', async (t) => {
  const { call, accountId } = await plane.customer();
  const created = await call('POST', KEYS, { name: 'Production' });
  t.equal(created.status, 201);
  t.ok(isWellFormedApiKey(created.body.api_key));
  t.equal(created.body.in_effect, true);
  t.match(created.body.key, {
    id: /^key_/,
    name: 'Production',
    prefix: created.body.api_key.slice(0, 13),
    last_four: created.body.api_key.slice(-4),
    status: 'active',
    created_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/,
    last_used_at: null,
  });
  t.equal(await admission(created.body.api_key), 'known');
  const { id: keyId } = created.body.key;
  const byId = await lookAt(stores.redis, { accountId, keyId, credential: keyId });
  t.equal(byId.view.state, 'known', 'a token holder may name the key by its id');
});

t.test(
  'fifty simultaneous creations leave exactly five keys, and revoking one makes room for one',
  async (t) => {
    const { call } = await plane.customer();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => call('POST', KEYS, { name: `key ${i}` })),
    );
    t.equal(answers.filter(({ status }) => status === 201).length, 5);
    const refused = answers.filter(({ status }) => status === 400);
    t.equal(refused.length, 45);
    t.match(refused[0]?.body.error, /at most 5/);
    const { keys } = (await call('GET', KEYS)).body;
    t.equal(keys.length, 5);
    await call('DELETE', `${KEYS}${keys[0].id}/`);
    const more = await Promise.all(Array.from({ length: 5 }, () => call('POST', KEYS, { name: 'more' })));
    t.equal(more.filter(({ status }) => status === 201).length, 1);
    t.equal((await call('GET', KEYS)).body.keys.length, 5);
    t.equal((await call('GET', `${KEYS}?status=all`)).body.keys.length, 6);
  },
);

t.test('inactive is refused, active again is admitted, revoked is refused for good', async (t) => {
  const { call } = await plane.customer();
  const { api_key: value, key } = (await call('POST', KEYS, { name: 'k' })).body;
  const path = `${KEYS}${key.id}/`;
  t.equal((await call('PATCH', path, { active: false })).body.key.status, 'inactive');
  t.equal(await admission(value), 'forbidden');
  t.equal((await call('PATCH', path, { active: true, name: 'renamed' })).body.key.name, 'renamed');
  t.equal(await admission(value), 'known');
  t.equal((await call('DELETE', path)).body.key.status, 'revoked');
  t.equal(await admission(value), 'forbidden', 'known to us, and refused');
  t.equal((await call('DELETE', path)).status, 200, 'revoking twice changes nothing');
  t.equal((await call('PATCH', path, { active: true })).status, 400);
  t.equal((await call('POST', `${path}roll/`, {})).status, 400);
  t.equal(await admission(value), 'forbidden');
});

t.test('after a roll both values work for the overlap, and never a third', async (t) => {
  const { call } = await plane.customer();
  const { api_key: first, key } = (await call('POST', KEYS, { name: 'k' })).body;
  const path = `${KEYS}${key.id}/`;
  const rolled = await call('POST', `${path}roll/`, { overlap_seconds: 3600 });
  t.equal(rolled.status, 200);
  t.equal(rolled.body.key.id, key.id);
  t.ok(Date.parse(rolled.body.old_value_expires_at) > Date.now() + 3_500_000);
  t.equal(await admission(first), 'known');
  t.equal(await admission(rolled.body.api_key), 'known');
  const second = await call('POST', `${path}roll/`, { overlap_seconds: 3600 });
  t.equal(await admission(first), 'forbidden');
  t.equal(await admission(rolled.body.api_key), 'known');
  t.equal(await admission(second.body.api_key), 'known');
  const third = await call('POST', `${path}roll/`, { overlap_seconds: 0 });
  t.equal(await admission(second.body.api_key), 'forbidden', 'no overlap: the old value ended at once');
  await call('PATCH', path, { active: false });
  t.equal(await admission(third.body.api_key), 'forbidden');
  t.equal((await call('POST', `${path}roll/`, { overlap_seconds: 7 * 86_400 + 1 })).status, 400);
});

t.test(
  'a rolled key shows the end and the last use of its old value, which can be ended at once',
  async (t) => {
    const { call, accountId } = await plane.customer();
    const { key, api_key: first } = (await call('POST', KEYS, { name: 'Production' })).body;
    t.equal(key.old_value, null);
    const path = `${KEYS}${key.id}/`;
    const rolled = (await call('POST', `${path}roll/`, { overlap_seconds: 3_600 })).body;
    t.strictSame(rolled.key.old_value, { expires_at: rolled.old_value_expires_at, last_used_at: null });
    await reportUse({ accountId, keyId: key.id, value: rolled.api_key, requests: 5 });
    t.equal((await call('GET', path)).body.key.old_value.last_used_at, null, 'the new value was used');
    await reportUse({ accountId, keyId: key.id, value: first, requests: 2 });
    t.match((await call('GET', path)).body.key.old_value.last_used_at, /^\d{4}-/);
    t.equal(await admission(first), 'known');
    t.equal((await call('DELETE', `${path}old-value/`)).body.key.old_value, null);
    t.equal(await admission(first), 'forbidden');
    t.equal(await admission(rolled.api_key), 'known');
    t.equal((await call('DELETE', `${path}old-value/`)).status, 200, 'again');
  },
);

t.test('a listing has the keys that were revoked last, however many there were', async (t) => {
  const customer = await plane.customer();
  const { accountId } = customer;
  const { key } = (await customer.call('POST', KEYS, { name: 'live' })).body;
  const idOf = (i: number) => `key_revoked_${accountId}_${i}`;
  await stores.db.apiKey.createMany({
    data: Array.from({ length: 150 }, (_, i) => ({
      ...{ id: idOf(i), accountId, name: `revoked ${i}`, prefix: 'vrd_live_a', lastFour: 'abcd' },
      ...{ secretHash: `${accountId} ${i}`, status: 'revoked', revokedAt: new Date(2026, 0, 1, 0, 150 - i) },
      allowedIps: Array.from({ length: 50 }, (_, n) => `2001:db8:1234:5678:9abc:def0:1234:${n + 1000}/128`),
    })),
  });
  const { keys } = (await customer.call('GET', `${KEYS}?status=all`)).body;
  t.equal(keys.length, 101);
  const ids = keys.map(({ id }: { id: string }) => id);
  t.ok(ids.includes(key.id) && ids.includes(idOf(0)) && ids.includes(idOf(99)));
  t.notOk(ids.includes(idOf(100)));
  const { text } = await customer.call('GET', '/api/v1/dashboard/export/');
  t.ok(text.includes(idOf(149)), 'the export has all of them');
});

t.test('a key tells the networks that it was used from, its owner only', async (t) => {
  const { call, accountId } = await plane.customer();
  const { key, api_key: value } = (await call('POST', KEYS, { name: 'Production' })).body;
  const networks = async () => (await call('GET', `${KEYS}${key.id}/networks/`)).body.networks;
  t.strictSame(await networks(), []);
  await reportUse({ accountId, keyId: key.id, value, requests: 3 });
  await reportUse({ accountId, keyId: key.id, value, requests: 4 });
  await reportUse({ accountId, keyId: key.id, value, requests: 1, network: '198.51.100.0/24' });
  await reportUse({ accountId: 'acc_other', keyId: key.id, value, requests: 100 });
  const found = await networks();
  t.match(found, [
    { network: '198.51.100.0/24', requests: 1 },
    { network: '203.0.113.0/24', requests: 7 },
  ]);
  t.ok(found[1].first_at < found[1].last_at);
  await stores.db.keyUse.updateMany({ where: { keyId: key.id }, data: { day: new Date('2020-01-01') } });
  t.strictSame(await networks(), [], 'after 30 days');
});

/** As a gateway reports it. */
async function reportUse(use: {
  accountId: string;
  keyId: string;
  value: string;
  requests: number;
  network?: string;
}) {
  const { accountId, keyId, value, requests, network = '203.0.113.0/24' } = use;
  const credential = credentialOfHash(hashApiKey(value));
  const reported = await plane.internal.inject({
    method: 'POST',
    url: KEY_USES_PATH,
    headers: { 'x-internal-token': plane.deps.config.INTERNAL_TOKEN },
    payload: {
      clients: [],
      networks: [{ account_id: accountId, key_id: keyId, credential, network, requests }],
    },
  });
  t.equal(reported.statusCode, 200);
}

t.test('after FLUSHALL the internal endpoints bring keys, months and refusals back', async (t) => {
  const { call, accountId } = await plane.customer();
  const live = (await call('POST', KEYS, { name: 'live' })).body;
  const dead = (await call('POST', KEYS, { name: 'dead' })).body;
  await call('DELETE', `${KEYS}${dead.key.id}/`);
  const hour = new Date(new Date().setUTCMinutes(0, 0, 0));
  await stores.db.usageHourly.create({
    data: { accountId, keyId: live.key.id, hour, decision: 'allow', checks: 42n },
  });
  await stores.redis.flushall();
  t.equal(await admission(live.api_key), 'unknown');

  const headers = { 'x-internal-token': plane.deps.config.INTERNAL_TOKEN };
  const identity = async (value: string) =>
    plane.internal.inject({ url: `/internal/keys/${hashApiKey(value)}`, headers });
  t.equal((await identity(live.api_key)).json().key_id, live.key.id);
  t.equal((await identity(dead.api_key)).json().key_id, dead.key.id);
  t.equal((await identity('vrd_live_nobody')).statusCode, 404);
  t.equal(await admission(live.api_key), 'absent');
  const projected = await plane.internal.inject({
    method: 'POST',
    url: `/internal/accounts/${accountId}/project`,
    headers,
  });
  t.equal(projected.statusCode, 200);
  t.equal(await admission(dead.api_key), 'forbidden');
  const hash = hashApiKey(live.api_key);
  const caller = { accountId, keyId: live.key.id, credential: credentialOfHash(hash) };
  t.match((await lookAt(stores.redis, caller)).view, { used: 42 }, 'nobody gets a fresh month');
  const usage = await plane.internal.inject({
    url: `/internal/accounts/${accountId}/usage/${monthOf(new Date())}`,
    headers,
  });
  t.same(usage.json(), {
    by_decision: { allow: 42, challenge: 0, review: 0, block: 0 },
    by_day: [{ date: hour.toISOString().slice(0, 10), checks: 42 }],
  });
  const unauthorised = await plane.internal.inject({
    url: `/internal/keys/${hash}`,
    headers: { 'x-internal-token': 'wrong' },
  });
  t.equal(unauthorised.statusCode, 401);
});
