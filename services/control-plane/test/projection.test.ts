import { createFingerprints, createIpFingerprint } from '@verdict/admission/create-fingerprints.js';
import type { Candidate } from '@verdict/admission/submission.js';
import type { CallerView } from '@verdict/contracts/step-note.js';
import { readProjectionSnapshot } from '@verdict/db/accounts/projection-snapshot.js';
import { ensurePartitions } from '@verdict/db/checks/partitions.js';
import { hashApiKey } from '@verdict/domain/api-key.js';
import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import { accountKey, credentialOfHash, identityKey, usedField } from '@verdict/redis-store/keys.js';
import { projectAccount } from '@verdict/redis-store/project.js';
import t from 'tap';
import { findOwnProxies } from '../src/projection/find-own-proxies.js';
import { toProjection } from '../src/projection/project-account.js';
import { relayOnce } from '../src/projection/relay.js';
import { sweepOnce } from '../src/projection/sweep.js';
import { type Customer, startControlPlane } from './support/control-plane.js';
import { lookAt } from './support/look-at.js';
import { startStores } from './support/stores.js';

const KEYS = '/api/v1/dashboard/keys/';
const SUBSCRIPTION = '/api/v1/billing/subscription/';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const { deps } = plane;

interface Holder extends Customer {
  readonly value: string;
  readonly keyId: string;
}

async function holder(): Promise<Holder> {
  const customer = await plane.customer();
  const { api_key: value, key } = (await customer.call('POST', KEYS, { name: 'k' })).body;
  return { ...customer, value, keyId: key.id };
}

const look = async ({ accountId, keyId, value }: Holder): Promise<CallerView> => {
  const caller = { accountId, keyId, credential: credentialOfHash(hashApiKey(value)) };
  return (await lookAt(stores.redis, caller)).view;
};

const limitOf = async (of: Holder): Promise<number | undefined> => {
  const reply = await look(of);
  return reply.state === 'known' ? reply.limit : undefined;
};

t.test('an older projection never replaces a newer one: a revoked key stays revoked', async (t) => {
  const customer = await holder();
  const stale = await readProjectionSnapshot(stores.db, customer.accountId, true);
  if (!stale) throw new Error('no snapshot');
  await customer.call('DELETE', `${KEYS}${customer.keyId}/`);
  t.equal((await look(customer)).state, 'forbidden');
  t.equal(
    await projectAccount({ redis: stores.redis, shards: 1 }, toProjection(deps, customer.accountId, stale)),
    'refused',
  );
  t.equal((await look(customer)).state, 'forbidden');
});

t.test('a crash between commit and projection heals by itself', async (t) => {
  const customer = await holder();
  // The state that a process leaves behind when it dies after its commit.
  await stores.db.$transaction([
    stores.db.apiKey.update({ where: { id: customer.keyId }, data: { status: 'revoked' } }),
    stores.db.account.update({ where: { id: customer.accountId }, data: { version: { increment: 1 } } }),
  ]);
  t.equal((await look(customer)).state, 'known');
  t.equal(await relayOnce(deps.repairs), 1);
  t.equal((await look(customer)).state, 'forbidden');
  t.equal(await relayOnce(deps.repairs), 0, 'nothing is left to do');
});

t.test('replicas that relay the same account at once do no harm', async (t) => {
  const customer = await holder();
  await stores.db.account.update({
    where: { id: customer.accountId },
    data: { plan: 'scale', version: { increment: 1 } },
  });
  await Promise.all(Array.from({ length: 5 }, () => relayOnce(deps.repairs)));
  t.equal(await limitOf(customer), 5_000_000);
});

t.test('the plan holds at the gateway as soon as its change is answered', async (t) => {
  const customer = await holder();
  t.equal(await limitOf(customer), 1_000);
  const changed = await customer.call('PUT', SUBSCRIPTION, { plan: 'growth' });
  t.match(changed.body, { success: true, plan: 'growth', checks_limit: 250_000, checks_per_second: 1_000 });
  t.equal(await limitOf(customer), 250_000);
  const unknown = await customer.call('PUT', SUBSCRIPTION, { plan: 'platinum' });
  t.equal(unknown.status, 400);
  t.match(unknown.body.error, /^plan: is none of free/);
  t.equal(await limitOf(customer), 250_000);
});

t.test('racing changes of one account end with Redis as Postgres is', async (t) => {
  const customer = await holder();
  const plans = ['starter', 'growth', 'scale', 'free'];
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, i) => customer.call('PUT', SUBSCRIPTION, { plan: plans[i % 4] })),
  );
  t.ok(answers.every(({ status }) => status === 200));
  const { plan, version, projectedVersion } = await stores.db.account.findUniqueOrThrow({
    where: { id: customer.accountId },
  });
  t.equal(projectedVersion, version);
  t.equal(await stores.redis.hget(accountKey(customer.accountId, 1), 'plan'), plan);
});

t.test('a Redis that came back from an older copy is repaired', async (t) => {
  const customer = await holder();
  const key = accountKey(customer.accountId, 1);
  const copy = await stores.redis.hgetall(key);
  await customer.call('DELETE', `${KEYS}${customer.keyId}/`);
  await stores.redis.del(key);
  await stores.redis.hset(key, copy);
  t.equal((await look(customer)).state, 'known', 'the revoked key is back');
  t.ok((await sweepOnce(deps.repairs)) >= 1);
  t.equal((await look(customer)).state, 'forbidden');
  t.equal(await sweepOnce(deps.repairs), 0);
});

t.test('a Postgres that came back from an older copy is obeyed', async (t) => {
  const customer = await holder();
  await stores.redis.hset(accountKey(customer.accountId, 1), 'v', '5000');
  t.equal(await sweepOnce(deps.repairs), 1);
  await customer.call('PATCH', `${KEYS}${customer.keyId}/`, { active: false });
  t.equal((await look(customer)).state, 'forbidden');
});

t.test('a changed plans file reaches accounts whose plan did not change', async (t) => {
  const customer = await holder();
  await stores.redis.hset(accountKey(customer.accountId, 1), 'limit', '7');
  t.equal(await sweepOnce(deps.repairs), 1);
  t.equal(await limitOf(customer), 1_000);
});

t.test(
  'a downgrade is projected with its moment, survives a loss, and goes when it is taken back',
  async (t) => {
    const customer = await holder();
    await customer.call('PUT', SUBSCRIPTION, { plan: 'starter' });
    await customer.call('PUT', SUBSCRIPTION, { plan: 'free' });
    const key = accountKey(customer.accountId, 1);
    const next = JSON.parse((await stores.redis.hget(key, 'next')) ?? 'null');
    const now = new Date();
    const turnMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    t.match(next, { from: turnMs * 1000, plan: 'free', limit: 1_000, rate: 50 });
    await stores.redis.hdel(key, 'next');
    t.equal(await sweepOnce(deps.repairs), 1);
    t.strictSame(JSON.parse((await stores.redis.hget(key, 'next')) ?? 'null'), next);
    await customer.call('PUT', SUBSCRIPTION, { plan: 'starter' });
    t.equal(await stores.redis.hget(key, 'next'), null);
  },
);

t.test('the month counter in Redis survives every projection', async (t) => {
  const customer = await holder();
  const field = usedField(new Date().toISOString().slice(0, 7));
  await stores.redis.hincrby(accountKey(customer.accountId, 1), field, 1);
  await customer.call('PUT', SUBSCRIPTION, { plan: 'starter' });
  t.match((await customer.call('GET', SUBSCRIPTION)).body, { checks_used: 1, checks_limit: 25_000 });
});

t.test(
  'while Redis is away nobody is told that a revocation holds; it holds once Redis is back',
  async (t) => {
    const customer = await holder();
    // The rate limiter would answer 503 first: so the change is made as the route makes it.
    await stores.server.kill();
    await t.rejects(deps.projectOrPending(customer.accountId), { status: 503, code: 'change_pending' });
    const answer = await customer.call('DELETE', `${KEYS}${customer.keyId}/`);
    t.equal(answer.status, 503);
    await stores.db.$transaction([
      stores.db.apiKey.update({ where: { id: customer.keyId }, data: { status: 'revoked' } }),
      stores.db.account.update({ where: { id: customer.accountId }, data: { version: { increment: 1 } } }),
    ]);
    await t.rejects(relayOnce(deps.repairs));
    await stores.server.restart();
    deps.relay.start();
    t.teardown(() => deps.relay.stop());
    await eventually(async () => (await look(customer)).state === 'forbidden');
  },
);

t.test('neither Postgres nor Redis holds a key’s value or a password', async (t) => {
  const customer = await holder();
  const rows = await stores.db.$queryRaw<{ text: string }[]>`
    SELECT k::text AS text FROM api_keys k UNION ALL SELECT u::text FROM users u
    UNION ALL SELECT a::text FROM audit_events a UNION ALL SELECT s::text FROM sessions s`;
  const everything = rows.map(({ text }) => text).join('\n');
  t.notOk(everything.includes(customer.value));
  t.notOk(everything.includes(customer.refresh.split('.')[1] ?? 'x'));
  t.ok(await stores.redis.exists(identityKey(hashApiKey(customer.value))));
  for (const key of await stores.redis.keys('*')) {
    t.notOk(
      key.includes(customer.value) || key.includes(customer.email),
      'no value or address in a key name',
    );
  }
});

t.test("a completed day names the customer's own proxy, the running day never", async (t) => {
  const { db, redis } = stores;
  const token = deps.config.INTERNAL_TOKEN;
  const PROXY = '203.0.113.77';
  const HOUR = 3_600_000;
  const today = new Date(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`);
  const at = (hours: number) => new Date(today.getTime() + hours * HOUR);
  await ensurePartitions(db, [monthOf(at(-24)), monthOf(at(24))]);
  /** Checks in the hour that begins so many hours after midnight of the running day. */
  const check = async ({ accountId }: Customer, hours: number, all: number, alike: number) => {
    const when = at(hours);
    await db.$executeRaw`
      WITH made AS (
        INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at)
        SELECT ${accountId} || ${hours}::text || '_' || n, ${accountId}, 'key_1', 'allow', 0, '{}', '[]', 'd/f/r', 'req_1', ${when}
        FROM generate_series(1, ${all}::int) n RETURNING id, created_at)
      INSERT INTO check_subjects (id, account_id, email, domain, email_hash, ip, reasons, created_at)
      SELECT id, ${accountId}, 'a@b.example', 'b.example', 'hash',
        CASE WHEN row_number() OVER () <= ${alike}::int THEN ${PROXY} ELSE '198.51.100.' || (row_number() OVER () % 250) END,
        '[]', created_at FROM made`;
    await db.$executeRaw`
      INSERT INTO usage_hourly (account_id, hour, key_id, decision, checks) VALUES (${accountId}, ${when}, 'key_1', 'allow', ${all})`;
  };
  const ipFingerprint = createIpFingerprint(token);
  const find = (hours: number) =>
    findOwnProxies({ db, project: deps.repairs.project, ipFingerprint }, at(hours));
  const inRedis = ({ accountId }: Customer) =>
    redis.hget(accountKey(accountId, deps.config.REDIS_SHARDS), 'own_proxy');

  const proxied = await plane.customer();
  await check(proxied, -20, 300, 300);
  await check(proxied, -10, 300, 290);
  const mixed = await plane.customer();
  await check(mixed, -20, 300, 270);
  await check(mixed, -10, 300, 270);
  const few = await plane.customer();
  await check(few, -10, 499, 499);
  const flooded = await plane.customer();
  for (const hours of [-22, -20, -18, -16]) await check(flooded, hours, 100, 0);
  await check(flooded, -1, 9_000, 9_000);
  const sudden = await plane.customer();
  await check(sudden, 0, 600, 600);

  await find(0.5);
  t.equal(await inRedis(proxied), null, 'the day has ended less than an hour ago');
  await find(1);
  const shown = { canonical: 'a@b.example', normalIp: PROXY, verdict: sampleVerdict({}) };
  const { names } = createFingerprints(token)(proxied.accountId, shown as Candidate);
  t.equal(await inRedis(proxied), names.at(-1), 'as gateways name it');
  for (const [customer, why] of [
    [mixed, 'nine in ten are not nearly all'],
    [few, 'too few checks'],
    [flooded, 'a flood in one hour is not the day'],
    [sudden, 'the running day decides nothing'],
  ] as const)
    t.equal(await inRedis(customer), null, why);
  const held = await redis.hgetall(accountKey(proxied.accountId, deps.config.REDIS_SHARDS));
  t.notOk(JSON.stringify(held).includes(PROXY), 'Redis has no IP');
  const [{ version } = { version: 0 }] = await db.$queryRaw<{ version: number }[]>`
    SELECT version FROM accounts WHERE id = ${proxied.accountId}`;
  await find(2);
  const [{ version: later } = { version: 0 }] = await db.$queryRaw<{ version: number }[]>`
    SELECT version FROM accounts WHERE id = ${proxied.accountId}`;
  t.equal(later, version, 'a day is decided once');
  await find(25);
  t.equal(await inRedis(proxied), null, 'the day after had no such proxy');
  t.not(await inRedis(sudden), null, 'and ended with one for another');
});
