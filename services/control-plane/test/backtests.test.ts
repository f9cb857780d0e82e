import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import t from 'tap';
import { rowOf } from './support/check-rows.js';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const POLICIES = '/api/v1/policies/';
const rule = (name: string) => ({
  name,
  when: { all: [{ field: 'score', op: 'gte', value: 0 }] },
  then: { watch: true },
});
const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
const MONTH = { from: day(30), to: day(0) };

t.test('a backtest starts, tells its progress and names rules, cells and what was left out', async (t) => {
  const { call, accountId, userId } = await plane.customer();
  const { key } = (await call('POST', '/api/v1/dashboard/keys/', { name: 'k' })).body;
  await call('POST', POLICIES, { rules: [rule('One'), rule('Two')] });
  t.strictSame((await call('GET', `${POLICIES}1/backtest/`)).body, { success: true, backtest: null });
  await persistChecks(
    stores.db,
    Array.from({ length: 4 }, () => rowOf(accountId, key.id)),
  );
  const started = await call('POST', `${POLICIES}1/backtest/`, MONTH);
  t.equal(started.status, 202);
  const { id } = started.body.backtest;
  t.strictSame(started.body, { success: true, backtest: { id, status: 'queued' } });
  t.match((await call('GET', `${POLICIES}backtests/${id}/`)).body.backtest, {
    version: 1,
    progress: 0,
    judged: 0,
    matrix: [],
    hits: [{ rule: 'One', checks: 0 }],
    created_by: userId,
    finished_at: null,
  });
  const result = {
    cells: {
      'allow allow': { checks: 1, samples: ['log_1'] },
      'allow block': { checks: 1, samples: ['log_2'] },
    },
    hits: [1, 2],
    left_out: { erased: 1, expired: 0, earlier_release: 0, no_network: 0, no_mx: 0 },
  };
  await stores.db.$executeRaw`
    UPDATE policy_backtests SET lease = 1, done = 3, result = ${JSON.stringify(result)}::jsonb WHERE id = ${id}`;
  const half = (await call('GET', `${POLICIES}backtests/${id}/`)).body.backtest;
  t.match(half, {
    status: 'running',
    progress: 0.75,
    judged: 2,
    changed: 1,
    matrix: [
      { before: 'allow', after: 'allow', checks: 1, samples: ['log_1'] },
      { before: 'allow', after: 'block', checks: 1, samples: ['log_2'] },
    ],
    hits: [
      { rule: 'One', checks: 1 },
      { rule: 'Two', checks: 2 },
    ],
    left_out: { erased: 1 },
    networks_looked_up: 0,
  });
  t.strictSame(half.considered, ['lists', 'policy'], 'of a release that did not count the rest');
  const considered = async (more: object) => {
    await stores.db.$executeRaw`
      UPDATE policy_backtests SET result = ${JSON.stringify({ ...result, ...more })}::jsonb WHERE id = ${id}`;
    return (await call('GET', `${POLICIES}backtests/${id}/`)).body.backtest.considered;
  };
  t.strictSame(await considered({ with_counts: 1, with_network: 0 }), ['lists', 'policy', 'bursts']);
  t.strictSame(await considered({ with_counts: 0, with_network: 2 }), ['lists', 'policy', 'ip']);
  t.match(await call('POST', `${POLICIES}1/backtest/`, MONTH), {
    status: 409,
    body: { code: 'backtest_running' },
  });
  await stores.db.$executeRaw`
    UPDATE policy_backtests SET status = 'done', finished_at = now() WHERE id = ${id}`;
  t.match((await call('GET', `${POLICIES}1/backtest/`)).body.backtest, { id, status: 'done', progress: 1 });
  t.match(
    (await call('GET', '/api/v1/dashboard/export/')).text,
    new RegExp(`"policy_backtest","id":"${id}"`),
  );
  const other = await plane.customer();
  t.equal((await other.call('GET', `${POLICIES}backtests/${id}/`)).status, 404, 'another account has none');
  t.equal((await other.call('POST', `${POLICIES}1/backtest/`, MONTH)).status, 404);
});

t.test('a period that cannot be, and a version that is missing are refused', async (t) => {
  const { call } = await plane.customer();
  await call('POST', POLICIES, { rules: [] });
  for (const [body, field] of [
    [{ from: day(1), to: day(2) }, 'to'],
    [{ from: day(0), to: 'tomorrow' }, 'to'],
    [{ from: day(400), to: day(0) }, 'from'],
  ] as const) {
    const refused = await call('POST', `${POLICIES}1/backtest/`, body);
    t.match(refused, { status: 400, body: { errors: [{ field }] } });
  }
  t.equal((await call('POST', `${POLICIES}1/backtest/`, { from: day(1) })).status, 400);
  t.equal((await call('POST', `${POLICIES}2/backtest/`, MONTH)).status, 404);
  t.equal((await call('GET', `${POLICIES}2/backtest/`)).status, 404);
  t.equal((await call('GET', `${POLICIES}backtests/bkt_1/`)).status, 404);
});

t.test('of an account’s backtests the newest 50 are kept', async (t) => {
  const { call, accountId } = await plane.customer();
  await call('POST', POLICIES, { rules: [] });
  await stores.db.$executeRaw`
    INSERT INTO policy_backtests (id, account_id, version, from_at, to_at, cursor_at, total, status, created_at)
    SELECT 'old_' || n || ${accountId}, ${accountId}, 1, now(), now(), now(), 0, 'done', now() - make_interval(hours => n)
    FROM generate_series(1, 60) n`;
  await call('POST', `${POLICIES}1/backtest/`, MONTH);
  const [kept] = await stores.db.$queryRaw<{ count: number; oldest: string }[]>`
    SELECT count(*)::int AS count, (array_agg(id ORDER BY created_at))[1] AS oldest
    FROM policy_backtests WHERE account_id = ${accountId}`;
  t.strictSame(kept, { count: 50, oldest: `old_49${accountId}` });
});
