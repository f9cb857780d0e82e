import { hashApiKey } from '@verdict/domain/api-key.js';
import { accountKey, credentialOfHash } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { startControlPlane } from './support/control-plane.js';
import { lookAt } from './support/look-at.js';
import { startStores } from './support/stores.js';

const KEYS = '/api/v1/dashboard/keys/';
const NO_TERMS = {
  expires_at: null,
  allowed_ips: [],
  monthly_quota: null,
  scopes: ['check', 'jobs', 'usage'],
};

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

t.test('terms are set at creation, shown in the list, changed and taken off by PATCH', async (t) => {
  const { call } = await plane.customer();
  const plain = await call('POST', KEYS, { name: 'plain' });
  t.match(plain.body.key, NO_TERMS);
  const terms = {
    expires_at: inHours(24),
    allowed_ips: ['203.0.113.77/24', '2001:DB8::1', '203.0.113.1/24'],
    monthly_quota: 500,
    scopes: ['check'],
  };
  const created = await call('POST', KEYS, { name: 'held', ...terms });
  t.equal(created.status, 201);
  const shown = {
    allowed_ips: ['203.0.113.0/24', '2001:db8::1/128'],
    monthly_quota: 500,
    scopes: ['check'],
  };
  t.match(created.body.key, shown);
  t.equal(Date.parse(created.body.key.expires_at), Date.parse(terms.expires_at));
  const path = `${KEYS}${created.body.key.id}/`;
  t.match((await call('GET', KEYS)).body.keys[1], shown);
  t.match((await call('GET', path)).body.key, shown);
  t.match((await call('PATCH', path, { name: 'renamed' })).body.key, { name: 'renamed', ...shown });
  t.match((await call('PATCH', path, { monthly_quota: 7 })).body.key, { ...shown, monthly_quota: 7 });
  t.match((await call('PATCH', path, NO_TERMS)).body.key, NO_TERMS);
  const rolled = await call('POST', `${path}roll/`, {});
  t.match(rolled.body.key, NO_TERMS);
});

t.test('the step is told, and a token holder is not held to the networks of a value', async (t) => {
  const { call, accountId } = await plane.customer();
  const { api_key: value, key } = (
    await call('POST', KEYS, {
      name: 'k',
      allowed_ips: ['10.0.0.0/8'],
      monthly_quota: 9,
      expires_at: inHours(1),
    })
  ).body;
  const credential = credentialOfHash(hashApiKey(value));
  const caller = { accountId, keyId: key.id, credential };
  t.match((await lookAt(stores.redis, caller)).view, { key_limit: 9, key_used: 0 });
  const text = await stores.redis.hget(accountKey(accountId, 1), `k:${credential}`);
  t.match(JSON.parse(text ?? ''), { from: [['0a000000', '0affffff']], quota: 9 });
  const byId = await stores.redis.hget(accountKey(accountId, 1), `k:${key.id}`);
  t.notOk('from' in JSON.parse(byId ?? ''));
  await call('PATCH', `${KEYS}${key.id}/`, NO_TERMS);
  t.equal(
    await stores.redis.hget(accountKey(accountId, 1), `k:${credential}`),
    'active',
    'nothing left to read',
  );
});

t.test('a quota knows what the key has used before Redis was emptied', async (t) => {
  const { call, accountId } = await plane.customer();
  const { api_key: value, key } = (await call('POST', KEYS, { name: 'k', monthly_quota: 50 })).body;
  const hour = new Date(new Date().setUTCMinutes(0, 0, 0));
  await stores.db.usageHourly.create({
    data: { accountId, keyId: key.id, hour, decision: 'allow', checks: 42n },
  });
  await stores.redis.flushall();
  await plane.deps.project(accountId);
  const caller = { accountId, keyId: key.id, credential: credentialOfHash(hashApiKey(value)) };
  t.match((await lookAt(stores.redis, caller)).view, { key_limit: 50, key_used: 42, used: 42 });
});

t.test('what cannot be held is refused with its field, and nothing is made of it', async (t) => {
  const { call } = await plane.customer();
  const bad: [object, string][] = [
    [{ expires_at: inHours(-1) }, 'expires_at'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ allowed_ips: ['10.0.0.0/33'] }, 'allowed_ips'],
    [{ allowed_ips: ['example.com'] }, 'allowed_ips'],
    [{ allowed_ips: Array.from({ length: 51 }, (_, i) => `10.0.0.${i}`) }, 'allowed_ips'],
    [{ monthly_quota: 0 }, 'monthly_quota'],
    [{ monthly_quota: 1.5 }, 'monthly_quota'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['admin'] }, 'scopes'],
    [{ scopes: ['check', 'check'] }, 'scopes'],
  ];
  const { key } = (await call('POST', KEYS, { name: 'k' })).body;
  for (const [terms, field] of bad) {
    for (const answer of [
      await call('POST', KEYS, { name: 'x', ...terms }),
      await call('PATCH', `${KEYS}${key.id}/`, terms),
    ]) {
      t.equal(answer.status, 400, JSON.stringify(terms));
      t.ok(JSON.stringify(answer.body.errors).includes(field), JSON.stringify(answer.body));
    }
  }
  t.equal((await call('GET', KEYS)).body.keys.length, 1);
});

t.test('the audit log says which terms were set, and nobody changes those of another', async (t) => {
  const owner = await plane.customer();
  const { key } = (await owner.call('POST', KEYS, { name: 'k', monthly_quota: 5 })).body;
  await owner.call('PATCH', `${KEYS}${key.id}/`, { allowed_ips: ['10.0.0.1'], scopes: ['usage'] });
  const { events } = (await owner.call('GET', '/api/v1/dashboard/audit/')).body;
  const of = (action: string) => events.find((event: { action: string }) => event.action === action)?.details;
  t.match(of('key.created'), { name: 'k', monthly_quota: 5 });
  t.same(of('key.updated'), { allowed_ips: ['10.0.0.1/32'], scopes: ['usage'] });
  const stranger = await plane.customer();
  t.equal((await stranger.call('PATCH', `${KEYS}${key.id}/`, { monthly_quota: null })).status, 404);
  t.equal((await owner.call('GET', `${KEYS}${key.id}/`)).body.key.monthly_quota, 5);
});
