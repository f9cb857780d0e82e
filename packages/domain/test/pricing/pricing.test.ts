import fc from 'fast-check';
import t from 'tap';
import { parsePlans } from '../../src/plans.js';
import { creditAmounts } from '../../src/pricing/credit-amounts.js';
import { planDays } from '../../src/pricing/plan-days.js';
import { type AccountMonth, priceMonth } from '../../src/pricing/price-month.js';
import { roundedShare } from '../../src/pricing/rounded-share.js';

const PLANS = parsePlans({
  free: { checks_per_month: 100, checks_per_second: 1, retention_days: 1 },
  starter: { checks_per_month: 500, checks_per_second: 1, retention_days: 1, price_month: 1900 },
  growth: {
    checks_per_month: 1500,
    checks_per_second: 1,
    retention_days: 1,
    price_month: 9900,
    price_per_1000_over: 1960,
    overage: 'bill',
    checks_cap: 15_000,
  },
});

const account = (fields: Partial<AccountMonth>): AccountMonth => ({
  account_id: 'acc_1',
  changes: [{ plan: 'growth', at: '2026-01-01T00:00:00Z' }],
  used: 0,
  late: 0,
  by_decision: {},
  by_key: {},
  by_hand: [],
  tax_rate: 0,
  ...fields,
});

t.test('shares are rounded to the nearest, halves away from zero', async (t) => {
  for (const [amount, part, whole, expected] of [
    [1900, 14, 30, 887],
    [1, 1, 2, 1],
    [-1, 1, 2, -1],
    [1, 1, 3, 0],
    [-1, 1, 3, 0],
    [5, 1, 3, 2],
    [9_007_199_254_740_991, 1900, 10_000, 1_711_367_858_400_788],
  ] as const) {
    t.equal(roundedShare(amount, part, whole), expected, `${amount} x ${part} / ${whole}`);
  }
});

t.test('a share is what decimal notation gives', async (t) => {
  const exact = (amount: number, part: number) => {
    // Tenths of thousandths, with the digits moved instead of divided.
    const digits = String(BigInt(Math.abs(amount)) * BigInt(part)).padStart(5, '0');
    const up = Number(digits.at(-4)) >= 5 ? 1 : 0;
    return Math.sign(amount) * (Number(digits.slice(0, -4)) + up) || 0;
  };
  fc.assert(
    fc.property(
      fc.integer({ min: -1e11, max: 1e11 }),
      fc.integer({ min: 0, max: 10_000 }),
      (amount, part) => roundedShare(amount, part, 10_000) === exact(amount, part),
    ),
  );
  t.pass();
});

t.test('examples of months', async (t) => {
  const days = (spans: readonly (readonly [string, string])[]) =>
    planDays(
      spans.map(([plan, at]) => ({ plan, at })),
      '2026-09',
    ).map(({ plan, from, to, days }) => `${plan} ${from.slice(8)}-${to.slice(8)} ${days}`);
  t.strictSame(days([['growth', '2026-01-01T00:00:00Z']]), ['growth 01-30 30']);
  t.strictSame(
    days([
      ['starter', '2026-08-31T23:59:59.999999Z'],
      ['growth', '2026-09-15T12:00:00Z'],
    ]),
    ['starter 01-14 14', 'growth 15-30 16'],
  );
  t.strictSame(
    days([
      ['free', '2026-09-03T09:00:00Z'],
      ['starter', '2026-09-03T10:00:00Z'],
    ]),
    ['starter 03-30 28'],
    'the plan in force at the end of a day',
  );
  t.strictSame(
    days([
      ['starter', '2026-01-01T00:00:00Z'],
      ['none', '2026-08-31T00:00:00Z'],
    ]),
    [],
  );
});

t.test('examples of bills', async (t) => {
  const bill = (fields: Partial<AccountMonth>) => priceMonth('2026-09', account(fields), PLANS);
  t.match(bill({ used: 1753, tax_rate: 1900 }), {
    plan: 'growth',
    entitled: 1500,
    over: 253,
    lines: [
      { kind: 'plan', days: 30, month_days: 30, amount: 9900 },
      { kind: 'overage', checks: 253, price_per_1000: 1960, amount: 496 },
    ],
    subtotal: 10_396,
    tax: 1975,
    total: 12_371,
  });
  t.match(
    bill({ changes: [{ plan: 'starter', at: '2026-01-01T00:00:00Z' }], used: 900 }),
    { over: 400, subtotal: 1900 },
    'a plan that blocks bills no overage',
  );
  t.match(bill({ by_hand: [{ id: 7, kind: 'credit', checks: 0, amount: -5000, reason: 'Outage' }] }), {
    lines: [{ kind: 'plan' }, { kind: 'credit', id: 7, reason: 'Outage', amount: -5000 }],
    subtotal: 4900,
  });
  t.equal(bill({ changes: [] }), null, 'who had no plan and used nothing has no statement');
  t.match(bill({ changes: [], used: 3 }), { plan: 'none', entitled: 0, over: 3, subtotal: 0 });
});

const moment = fc.integer({ min: Date.UTC(2026, 6, 1), max: Date.UTC(2026, 8, 30, 23, 59) });
const changes = fc
  .array(fc.record({ plan: fc.constantFrom('free', 'starter', 'growth', 'none'), ms: moment }), {
    maxLength: 6,
  })
  .map((list) => list.sort((a, b) => a.ms - b.ms))
  .map((list) => list.map(({ plan, ms }) => ({ plan, at: new Date(ms).toISOString() })));

t.test('days and lines add up, whatever the changes', async (t) => {
  fc.assert(
    fc.property(changes, fc.nat(5000), fc.integer({ min: -200, max: 200 }), (history, used, late) => {
      const bill = priceMonth('2026-09', account({ changes: history, used, late, tax_rate: 1900 }), PLANS);
      if (!bill) return used === 0 && late === 0;
      const naive = new Map<string, number>();
      for (let day = 1; day <= 30; day++) {
        const atEnd = history
          .filter(({ at }) => at < new Date(Date.UTC(2026, 8, day + 1)).toISOString())
          .at(-1);
        if (atEnd && atEnd.plan !== 'none') naive.set(atEnd.plan, (naive.get(atEnd.plan) ?? 0) + 1);
      }
      const counted = new Map<string, number>();
      for (const { plan, days } of bill.plans) counted.set(plan, (counted.get(plan) ?? 0) + days);
      t.strictSame(Object.fromEntries(counted), Object.fromEntries(naive));
      t.equal(
        bill.subtotal,
        bill.lines.reduce((sum, { amount }) => sum + amount, 0),
      );
      t.equal(bill.total, bill.subtotal + bill.tax);
      t.ok(bill.lines.every(({ amount }) => Number.isSafeInteger(amount)));
      return true;
    }),
    { numRuns: 200 },
  );
});

t.test('credits of an invoice, however it is cut, give back exactly what it charged', async (t) => {
  t.strictSame(creditAmounts({ subtotal: 1900, tax: 361 }, 1900, 950), { subtotal: 950, tax: 181 });
  t.strictSame(creditAmounts({ subtotal: 950, tax: 180 }, 1900, null), { subtotal: 950, tax: 180 });
  t.equal(creditAmounts({ subtotal: 950, tax: 180 }, 1900, 951), null);
  t.equal(creditAmounts({ subtotal: 0, tax: 0 }, 1900, null), null);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 30 }),
      (subtotal, rate, parts) => {
        const tax = roundedShare(subtotal, rate, 10_000);
        let left = { subtotal, tax };
        for (const part of [...parts, null]) {
          const credit = creditAmounts(left, rate, part);
          if (!credit) continue;
          left = { subtotal: left.subtotal - credit.subtotal, tax: left.tax - credit.tax };
          if (left.subtotal < 0 || left.tax < 0) return false;
        }
        return left.subtotal === 0 && left.tax === 0;
      },
    ),
  );
});
