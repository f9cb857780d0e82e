import { randomFillSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resumeAccount, suspendAccount } from '@verdict/db/accounts/operator-accounts.js';
import { readRunningMonth } from '@verdict/db/billing/close-month.js';
import { applyDuePlanChanges, changePlan, listPlanChanges } from '@verdict/db/billing/plan-changes.js';
import {
  grantPlanRequest,
  listOpenPlanRequests,
  refusePlanRequest,
} from '@verdict/db/billing/plan-requests.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { monthOf } from '@verdict/domain/month.js';
import { plansNoSmallerThan } from '@verdict/domain/plans.js';
import { priceMonth } from '@verdict/domain/pricing/price-month.js';
import { accountKey, usedField } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const SUBSCRIPTION = '/api/v1/billing/subscription/';
const SPENDING = '/api/v1/billing/spending/';
const UPCOMING = '/api/v1/billing/upcoming/';
const AUDIT = '/api/v1/dashboard/audit/';

const stores = await startStores(t);
const { db, redis } = stores;
const free = await startControlPlane(t, stores);
const asking = await startControlPlane(t, stores, { PLAN_CHANGES: 'operator' });
const createId = createIdFactory(Date.now, randomFillSync);
const { plans } = free.deps;

const audit = (action: string) => ({
  id: createId('aud'),
  userId: null,
  ip: null,
  requestId: null,
  action,
  target: null,
});
const set = (accountId: string, plan: string, at?: string) =>
  changePlan(
    db,
    accountId,
    {
      plan,
      downFrom: plansNoSmallerThan(plans, plan),
      madeBy: 'operator',
      ...(at && { at: new Date(at) }),
    },
    audit('subscription.changed'),
  );
const nextMonth = () => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
};

t.test(
  'a larger plan holds at once, a smaller one from the next month, and both are in the history',
  async (t) => {
    const customer = await free.customer();
    const up = await customer.call('PUT', SUBSCRIPTION, { plan: 'growth' });
    t.match(up, { status: 200, body: { plan: 'growth', checks_limit: 250_000, next_plan: null } });
    t.equal(await redis.hget(accountKey(customer.accountId, 1), 'limit'), '250000');

    const down = await customer.call('PUT', SUBSCRIPTION, { plan: 'starter' });
    t.match(down, {
      status: 200,
      body: { plan: 'growth', checks_limit: 250_000, next_plan: { plan: 'starter' } },
    });
    t.equal(Date.parse(down.body.next_plan.effective_at), nextMonth().getTime());
    t.match(
      JSON.parse((await redis.hget(accountKey(customer.accountId, 1), 'next')) ?? ''),
      { plan: 'starter', limit: 25_000, from: nextMonth().getTime() * 1_000 },
      'Redis knows it, for the first check of that month',
    );
    t.match(await listPlanChanges(db, customer.accountId), [
      { from_plan: 'growth', to_plan: 'starter', made_by: customer.userId },
      { from_plan: 'free', to_plan: 'growth', made_by: customer.userId },
      { from_plan: null, to_plan: 'free' },
    ]);
    const { body } = await customer.call('GET', AUDIT);
    const changes = body.events.filter(({ action }: { action: string }) => action === 'subscription.changed');
    t.match(changes, [
      { details: { from: 'growth', to: 'starter', effective_at: /-01T00:00:00/ } },
      { details: { from: 'free', to: 'growth' } },
    ]);

    t.equal(await applyDuePlanChanges(db), 0, 'not before its time');
    t.equal(await applyDuePlanChanges(db, nextMonth()), 1);
    t.equal(await applyDuePlanChanges(db, nextMonth()), 0, 'once');
    t.match((await customer.call('GET', SUBSCRIPTION)).body, { plan: 'starter', next_plan: null });
    const account = await db.account.findUniqueOrThrow({ where: { id: customer.accountId } });
    t.ok(account.version > account.projectedVersion, 'the outbox brings it to Redis');
  },
);

t.test('the running month is priced as its statement will be', async (t) => {
  const customer = await free.customer();
  const { accountId } = customer;
  const upcoming = async () => (await customer.call('GET', UPCOMING)).body.upcoming;
  t.match(await upcoming(), { lines: [], total: 0, used: 0, expected: { used: 0, total: 0 } });

  const { body } = await customer.call('PUT', SUBSCRIPTION, { plan: 'scale' });
  const { upgrade } = body.plans.find(({ name }: { name: string }) => name === 'scale');
  t.match(await upcoming(), {
    month: monthOf(new Date()),
    closes_at: body.resets_at,
    lines: [{ kind: 'plan', plan: 'scale', days: upgrade.days, amount: upgrade.fee }],
    total: upgrade.fee,
  });

  const used = 3_000_000;
  await redis.hset(accountKey(accountId, 1), usedField(monthOf(new Date())), used);
  const running = await readRunningMonth(db, monthOf(new Date()), accountId);
  const bill = running && priceMonth(monthOf(new Date()), { ...running, used }, plans);
  const seen = await upcoming();
  t.match(seen, { used, lines: bill?.lines, total: bill?.total });
  t.ok(seen.total > upgrade.fee, 'checks above the share of the days cost more');
  t.ok(seen.expected.used >= used && seen.expected.total >= seen.total);
  const other = await free.customer();
  t.match(
    (await other.call('GET', UPCOMING)).body.upcoming,
    { used: 0, total: 0 },
    'and nobody else pays it',
  );
});

t.test('choosing the present plan takes a downgrade back', async (t) => {
  const customer = await free.customer();
  await customer.call('PUT', SUBSCRIPTION, { plan: 'scale' });
  await customer.call('PUT', SUBSCRIPTION, { plan: 'free' });
  const kept = await customer.call('PUT', SUBSCRIPTION, { plan: 'scale' });
  t.match(kept, { status: 200, body: { plan: 'scale', next_plan: null } });
  t.equal(await applyDuePlanChanges(db, nextMonth()), 0);
  t.match(
    (await listPlanChanges(db, customer.accountId)).map(({ to_plan }) => to_plan),
    ['scale', 'free'],
  );
});

t.test('where an operator decides, a change is a request that shows, and holds when granted', async (t) => {
  const customer = await asking.customer();
  const asked = await customer.call('PUT', SUBSCRIPTION, { plan: 'scale' });
  t.match(asked, {
    status: 202,
    body: { plan: 'free', checks_limit: 1000, plan_request: { plan: 'scale', status: 'open' } },
  });
  await customer.call('PUT', SUBSCRIPTION, { plan: 'growth' });
  const open = (await listOpenPlanRequests(db)).filter(({ account_id }) => account_id === customer.accountId);
  t.match(open, [{ plan: 'growth', current_plan: 'free', requested_by: customer.userId }]);
  t.equal(open.length, 1, 'the last word counts');

  const id = open[0]?.id ?? '';
  const wish = { downFrom: plansNoSmallerThan(plans, 'growth'), madeBy: 'operator:ann' };
  t.match(await grantPlanRequest(db, id, wish, audit('subscription.changed')), {
    changed: { from_plan: 'free', plan: 'growth' },
  });
  t.equal(await grantPlanRequest(db, id, wish, audit('subscription.changed')), null, 'once');
  t.match((await customer.call('GET', SUBSCRIPTION)).body, {
    plan: 'growth',
    plan_request: { plan: 'growth', status: 'granted' },
  });

  await customer.call('PUT', SUBSCRIPTION, { plan: 'scale' });
  const [second] = (await listOpenPlanRequests(db)).filter(
    ({ account_id }) => account_id === customer.accountId,
  );
  const refusal = { decidedBy: 'operator:ann', reason: 'A credit check comes first.' };
  await refusePlanRequest(db, second?.id ?? '', refusal, audit('subscription.refused'));
  t.match((await customer.call('GET', SUBSCRIPTION)).body, {
    plan: 'growth',
    plan_request: { plan: 'scale', status: 'refused', reason: refusal.reason },
  });
  const { body } = await customer.call('GET', AUDIT);
  t.match(body.events.map(({ action }: { action: string }) => action).slice(0, 5), [
    'subscription.refused',
    'subscription.requested',
    'subscription.changed',
    'subscription.requested',
    'subscription.requested',
  ]);
});

t.test('an operator who sets the plan that was asked for grants the request', async (t) => {
  const customer = await asking.customer();
  await customer.call('PUT', SUBSCRIPTION, { plan: 'starter' });
  await set(customer.accountId, 'starter');
  t.match((await customer.call('GET', SUBSCRIPTION)).body, {
    plan: 'starter',
    plan_request: { status: 'granted' },
  });
});

t.test('a change at the turn of the month builds on the downgrade that has just become due', async (t) => {
  const id = createId('acc');
  await db.account.create({
    data: { id, name: id, plan: 'scale', createdAt: new Date('2026-01-01T00:00:00Z') },
  });
  await set(id, 'free', '2026-03-31T23:59:59.999Z');
  const { rows } = await set(id, 'growth', '2026-04-01T00:00:00.001Z');
  t.match(rows, [{ from_plan: 'free', plan: 'growth', next_plan: null }]);
  t.match(await listPlanChanges(db, id), [
    { from_plan: 'free', to_plan: 'growth' },
    { from_plan: 'scale', to_plan: 'free', effective_at: '2026-04-01T00:00:00.000000+00:00' },
    { from_plan: null, to_plan: 'scale' },
  ]);
});

t.test('twenty changes at once leave one history that ends at the plan in force', async (t) => {
  const customer = await free.customer();
  const names = [...plans.keys()];
  await Promise.all(Array.from({ length: 20 }, (_, i) => set(customer.accountId, names[i % 4] ?? 'free')));
  const held = (await listPlanChanges(db, customer.accountId)).filter(
    ({ effective_at }) => Date.parse(effective_at) <= Date.now(),
  );
  t.equal(held[0]?.to_plan, (await customer.call('GET', SUBSCRIPTION)).body.plan);
  for (const [i, change] of held.entries()) {
    if (held[i + 1]) t.equal(change.from_plan, held[i + 1]?.to_plan, 'each begins where the last one ended');
  }
});

t.test('no plan escapes the history, and the history is not rewritten', async (t) => {
  const id = createId('acc');
  await db.account.create({ data: { id, name: id, plan: 'free' } });
  await db.account.update({ where: { id }, data: { plan: 'scale' } });
  await db.account.delete({ where: { id } });
  t.match(
    (await listPlanChanges(db, id)).map(({ from_plan, to_plan }) => [from_plan, to_plan]),
    [
      ['scale', 'none'],
      ['free', 'scale'],
      [null, 'free'],
    ],
  );
  await t.rejects(db.$executeRaw`DELETE FROM plan_changes WHERE account_id = ${id}`, /not rewritten/);
  await t.rejects(
    db.$executeRaw`UPDATE plan_changes SET to_plan = 'free' WHERE account_id = ${id}`,
    /not rewritten/,
  );
});

t.test('a suspended account has no active key at the gateway, and each gets its status back', async (t) => {
  const customer = await free.customer();
  const made = (await customer.call('POST', '/api/v1/dashboard/keys/', { name: 'k' })).body.key;
  const off = (await customer.call('POST', '/api/v1/dashboard/keys/', { name: 'off' })).body.key;
  await customer.call('PATCH', `/api/v1/dashboard/keys/${off.id}/`, { active: false });
  const statuses = async () => [
    await redis.hget(accountKey(customer.accountId, 1), `k:${made.id}`),
    await redis.hget(accountKey(customer.accountId, 1), `k:${off.id}`),
  ];
  t.strictSame(await statuses(), ['active', 'inactive']);
  await suspendAccount(db, customer.accountId, 'unpaid', audit('account.suspended'));
  await free.deps.project(customer.accountId);
  t.strictSame(await statuses(), ['inactive', 'inactive']);
  t.equal((await customer.call('GET', SUBSCRIPTION)).status, 200, 'its people can still read');
  await resumeAccount(db, customer.accountId, audit('account.resumed'));
  await free.deps.project(customer.accountId);
  t.strictSame(await statuses(), ['active', 'inactive']);
});

t.test('a plan that bills is limited at its cap, for the gateway and for the customer alike', async (t) => {
  const file = join(t.testdir(), 'plans.json');
  const base = { checks_per_second: 5, retention_days: 1 };
  const later = { prices_from: { '2999-01': { price_month: 120 } } };
  const metered = {
    ...base,
    checks_per_month: 10,
    overage: 'bill',
    checks_cap: 40,
    price_month: 100,
    ...later,
  };
  writeFileSync(file, JSON.stringify({ free: { ...base, checks_per_month: 5 }, metered }));
  const billing = await startControlPlane(t, stores, { PLANS_FILE: file });
  const customer = await billing.customer();
  const changed = await customer.call('PUT', SUBSCRIPTION, { plan: 'metered' });
  t.match(changed.body, { checks_limit: 40, checks_included: 10, overage: 'bill', checks_remaining: 40 });
  t.match(changed.body.plans, [{ next_price: null }, { next_price: { from: '2999-01', price_month: 120 } }]);
  t.equal(await redis.hget(accountKey(customer.accountId, 1), 'limit'), '40');
});

t.test('a quota of a later month is in Redis with its moment, within the cap of the customer', async (t) => {
  const file = join(t.testdir(), 'plans.json');
  const base = { checks_per_second: 5, retention_days: 1 };
  const metered = {
    ...base,
    checks_per_month: 10,
    overage: 'bill',
    checks_cap: 40,
    price_month: 100,
    prices_from: { '2199-12': { price_month: 120 }, '2200-01': { checks_per_month: 20, checks_cap: 60 } },
  };
  writeFileSync(file, JSON.stringify({ free: { ...base, checks_per_month: 5 }, metered }));
  const dated = await startControlPlane(t, stores, { PLANS_FILE: file });
  const customer = await dated.customer();
  const next = async () =>
    JSON.parse((await redis.hget(accountKey(customer.accountId, 1), 'next')) ?? 'null');
  const from = Date.UTC(2200, 0, 1) * 1_000;
  await customer.call('PUT', SUBSCRIPTION, { plan: 'metered' });
  t.match(await next(), { from, plan: 'metered', limit: 60 }, 'a price alone limits nothing');
  await customer.call('PUT', SPENDING, { checks_cap: 50, mail_at: [] });
  t.match(await next(), { from, limit: 50 }, 'the cap is above the plan’s until then');
  await customer.call('PUT', SPENDING, { checks_cap: 15, mail_at: [] });
  t.match(await next(), { from, limit: 20 }, 'no cap is below what is paid for by then');
  await customer.call('PUT', SUBSCRIPTION, { plan: 'free' });
  t.match(await next(), { from: nextMonth().getTime() * 1_000, plan: 'free', limit: 5 });
});
