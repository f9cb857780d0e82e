import { accountKey } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { sweepOnce } from '../src/projection/sweep.js';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const SPENDING = '/api/v1/billing/spending/';
const SUBSCRIPTION = '/api/v1/billing/subscription/';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const { plans, redis, config } = plane.deps;
const scale = plans.get('scale');
const [included, cap] = [scale?.checksPerMonth ?? 0, scale?.checksLimit ?? 0];

t.test(
  'checks stop at the customer’s own cap before the answer, and at the plan’s without one',
  async (t) => {
    const { call, accountId } = await plane.customer();
    const limit = async () => Number(await redis.hget(accountKey(accountId, config.REDIS_SHARDS), 'limit'));
    t.match((await call('GET', SPENDING)).body, { checks_cap: null, mail_at: [] });
    await call('PUT', SUBSCRIPTION, { plan: 'scale' });
    t.equal(await limit(), cap);
    const own = { checks_cap: included + 1_000, mail_at: [50, 80] };
    t.match((await call('PUT', SPENDING, own)).body, own);
    t.match((await call('GET', SPENDING)).body, own);
    t.equal(await limit(), included + 1_000);
    t.match((await call('GET', SUBSCRIPTION)).body, { checks_limit: included + 1_000 });
    await call('PUT', SPENDING, { ...own, checks_cap: 1 });
    t.equal(await limit(), included, 'never below what is paid for');
    await call('PUT', SPENDING, { ...own, checks_cap: cap + 1 });
    t.equal(await limit(), cap, 'never above the cap of the plan');
    await call('PUT', SPENDING, { ...own, checks_cap: included });
    const options = { ...plane.deps, onHealed: () => t.fail('the sweep takes the cap for a fault') };
    t.equal(await sweepOnce(options), 0);
    await call('PUT', SPENDING, { checks_cap: null, mail_at: [] });
    t.equal(await limit(), cap);
    const { events } = (await call('GET', '/api/v1/dashboard/audit/?subject=billing')).body;
    t.match(events.at(-1), { action: 'billing.limits_set', details: own });
  },
);

t.test('a plan that blocks at its quota has no use for a cap', async (t) => {
  const { call } = await plane.customer();
  await call('PUT', SPENDING, { checks_cap: 10, mail_at: [] });
  t.match((await call('GET', SUBSCRIPTION)).body, { checks_limit: plans.get('free')?.checksPerMonth });
});

t.test('what is no cap or percentage is refused', async (t) => {
  const { call } = await plane.customer();
  for (const body of [
    { checks_cap: -1, mail_at: [] },
    { checks_cap: 1.5, mail_at: [] },
    { checks_cap: null, mail_at: [0] },
    { checks_cap: null, mail_at: [80, 80] },
    { checks_cap: null, mail_at: [1, 2, 3, 4, 5, 6] },
    { checks_cap: null },
  ])
    t.equal((await call('PUT', SPENDING, body)).status, 400, JSON.stringify(body));
});
