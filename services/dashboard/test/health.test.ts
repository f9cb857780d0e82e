import t from 'tap';
import type { OperatorSystem } from '../src/api/operator.ts';
import { healthOf } from '../src/pages/operator/health.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');

const WELL: OperatorSystem = {
  success: true,
  queue: {
    waiting: 3,
    active: 0,
    delayed: 0,
    failed: 0,
    oldest_seconds: 1,
    dead_letters: 0,
    observed_at: '2026-11-16T11:59:55Z',
    age_seconds: 5,
  },
  closing: { month: '2026-10', done: 12, of: 12, age_seconds: 60_000 },
  unissued: { ready: 0, stopped: 0, age_seconds: 1_000 },
  projections_waiting: 0,
  reconciliations: [
    { month: '2026-11', ran_at: '2026-11-16T03:00:00Z', age_seconds: 32_400, differences: 0, repaired: 0 },
  ],
  datasets: {
    disposable_domains: { count: 1, version: '2026-11-15' },
    free_providers: { version: '2026-11-01' },
    role_prefixes: { version: '2026-11-01' },
  },
  top_accounts: [],
  clients: [],
};

const bad = (system: OperatorSystem) =>
  healthOf(system, NOW)
    .filter(({ state }) => state !== 'good')
    .map(({ name, state }) => `${name} ${state}`);

t.test('a well system is green', async (t) => {
  t.strictSame(bad(WELL), []);
});

t.test('each part has its threshold', async (t) => {
  const { queue, datasets, reconciliations } = WELL;
  if (!queue || !datasets || !reconciliations[0]) throw new Error('the sample lacks a part');
  t.strictSame(bad({ ...WELL, queue: null }), ['worker bad']);
  t.strictSame(bad({ ...WELL, queue: { ...queue, age_seconds: 61 } }), ['worker bad']);
  t.strictSame(bad({ ...WELL, queue: { ...queue, waiting: 10_001, oldest_seconds: 61, dead_letters: 1 } }), [
    'backlog bad',
    'oldest bad',
    'deadLetters bad',
  ]);
  const closing = { month: '2026-10', done: 500, of: 100_000, age_seconds: 2 };
  t.strictSame(bad({ ...WELL, closing }), ['closing waiting'], 'a closing is under way');
  t.strictSame(
    bad({ ...WELL, closing: { ...closing, age_seconds: 601 } }),
    ['closing bad'],
    'it stands still',
  );
  const unissued = { ready: 99_500, stopped: 3, age_seconds: 2 };
  t.strictSame(bad({ ...WELL, unissued }), ['invoices waiting']);
  t.strictSame(bad({ ...WELL, unissued: { ...unissued, age_seconds: 7_201 } }), ['invoices bad']);
  t.strictSame(bad({ ...WELL, unissued: { ...unissued, ready: 0 } }), ['invoices waiting'], 'on hold');
  t.strictSame(bad({ ...WELL, projections_waiting: 1 }), ['changes waiting']);
  t.strictSame(bad({ ...WELL, datasets: null }), ['scoring bad']);
  const old = { ...datasets, disposable_domains: { count: 1, version: '2026-11-01' } };
  t.strictSame(bad({ ...WELL, datasets: old }), ['datasets waiting']);
  t.strictSame(bad({ ...WELL, reconciliations: [] }), ['reconciliation waiting']);
  t.strictSame(bad({ ...WELL, reconciliations: [{ ...reconciliations[0], differences: 2 }] }), [
    'reconciliation bad',
  ]);
});
