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
  scale: { checks_per_month: 2_500_000, checks_per_second: 1, retention_days: 1, price_month: 49_900 },
});

const account = (fields: Partial<AccountMonth>): AccountMonth => ({
  account_id: 'acc_1',
  changes: [{ plan: 'growth', at: '2026-01-01T00:00:00Z' }],
  used: 0,
  late: [],
  brought: null,
  by_decision: {},
  by_key: {},
  by_tag: {},
  by_hand: [],
  terms: [],
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
      ['free', '2026-09-03T09:00:00Z'],
      ['scale', '2026-09-03T10:00:00Z'],
      ['none', '2026-09-03T12:00:00Z'],
    ]),
    ['scale 03-03 1'],
    'the day of a deletion is paid for',
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
  const lastDay = [
    { plan: 'free', at: '2026-01-01T00:00:00Z' },
    { plan: 'scale', at: '2026-09-30T10:00:00Z' },
  ];
  t.match(bill({ changes: lastDay, used: 83_433 }), { entitled: 83_433, over: 0, subtotal: 1663 });
  t.match(
    bill({ changes: lastDay, used: 2_500_000 }),
    {
      plan: 'scale',
      over: 2_416_567,
      lines: [
        { kind: 'plan', days: 1, amount: 1663 },
        { kind: 'plan_checks', checks: 2_416_567, of_checks: 2_416_567, price: 48_237, amount: 48_237 },
      ],
      subtotal: 49_900,
    },
    'a day of the largest plan does not buy its month',
  );
  t.match(
    bill({
      changes: [
        { plan: 'free', at: '2026-09-20T09:00:00Z' },
        { plan: 'scale', at: '2026-09-20T10:00:00Z' },
        { plan: 'none', at: '2026-09-20T12:00:00Z' },
      ],
      used: 2_500_000,
    }),
    { plan: 'scale', subtotal: 49_900 },
    'nor does a deletion on the day of the upgrade',
  );
  const late = (billed: number) => bill({ late: [{ month: '2026-08', checks: 40, billed }], used: 1490 });
  t.match(late(1400), { adjusted: 40, over: 0, subtotal: 9900 }, 'late checks of a month with room are free');
  t.match(late(1480)?.lines[1], { kind: 'overage', month: '2026-08', checks: 20, amount: 39 });
  t.match(
    bill({ late: [{ month: '2026-08', checks: -10, billed: 1505 }] })?.lines[1],
    { month: '2026-08', checks: -5, amount: -10 },
    'and what was counted too often is given back',
  );
  const credit = { id: 1, kind: 'credit' as const, checks: 0, amount: -10_000, reason: 'Outage' };
  t.match(
    bill({ by_hand: [credit], tax_rate: 1900 }),
    { lines: [{}, {}, { kind: 'carried_forward', amount: 100 }], subtotal: 0, tax: 0, total: 0 },
    'a statement in the customer’s favour carries forward',
  );
  t.match(bill({ brought: { month: '2026-08', amount: 100 } }), {
    lines: [{ kind: 'brought_forward', month: '2026-08', amount: -100 }, { kind: 'plan' }],
    subtotal: 9800,
  });
  t.equal(bill({ changes: [] }), null, 'who had no plan and used nothing has no statement');
  t.match(bill({ changes: [], used: 3 }), { plan: 'none', entitled: 0, over: 3, subtotal: 0 });
});

t.test('prices hold from their month on, for everybody or for one account', async (t) => {
  const base = {
    checks_per_month: 1000,
    checks_per_second: 1,
    retention_days: 1,
    overage: 'bill',
    checks_cap: 9000,
  };
  const plans = parsePlans({
    free: { checks_per_month: 1, checks_per_second: 1, retention_days: 1 },
    growth: {
      ...base,
      price_month: 10_000,
      price_per_1000_over: 100,
      prices_from: { '2026-10': { price_month: 12_000 }, '2026-12': { price_per_1000_over: 200 } },
    },
  });
  const bill = (month: string, fields: Partial<AccountMonth>) =>
    priceMonth(
      month,
      account({ changes: [{ plan: 'growth', at: '2026-01-01T00:00:00Z' }], used: 3000, ...fields }),
      plans,
    );
  const subtotals = (fields: Partial<AccountMonth>) =>
    ['2026-09', '2026-10', '2026-11', '2026-12'].map((month) => bill(month, fields)?.subtotal);
  t.strictSame(subtotals({}), [10_200, 12_200, 12_200, 12_400], 'a price that is left out stays as it was');
  const none = { plan: null, price_month: null, price_per_1000_over: null, discount: 0 };
  const own = { ...none, from: '2026-10', plan: 'growth', price_month: 5_000 };
  t.strictSame(subtotals({ terms: [own] }), [10_200, 5_200, 5_200, 5_400]);
  t.strictSame(
    subtotals({ terms: [{ ...own, plan: 'scale' }] }),
    [10_200, 12_200, 12_200, 12_400],
    'of that plan only',
  );
  const discount = { ...none, from: '2026-11', discount: 1_250 };
  t.strictSame(
    subtotals({ terms: [own, discount] }),
    [10_200, 5_200, 10_675, 10_850],
    'the later terms replace the earlier',
  );
  t.match(bill('2026-11', { terms: [discount] })?.lines, [
    { kind: 'plan', amount: 12_000 },
    { kind: 'overage', amount: 200 },
    { kind: 'discount', percent: 1_250, amount: -1_525 },
  ]);
  t.match(
    bill('2026-12', {
      used: 0,
      terms: [{ ...discount, from: '2026-09' }],
      late: [{ month: '2026-09', checks: 1000, billed: 1000 }],
    })?.lines.slice(2),
    [
      { kind: 'overage', month: '2026-09', price_per_1000: 100, amount: 100 },
      { kind: 'discount', month: '2026-09', amount: -13 },
    ],
    'late checks have the prices and the discount of their own month',
  );
  t.equal(bill('2026-11', { terms: [{ ...none, from: '2026-11', discount: 10_000 }] })?.total, 0);
});

const moment = fc.integer({ min: Date.UTC(2026, 6, 1), max: Date.UTC(2026, 8, 30, 23, 59) });
const changes = fc
  .array(fc.record({ plan: fc.constantFrom('free', 'starter', 'growth', 'none'), ms: moment }), {
    maxLength: 6,
  })
  .map((list) => list.sort((a, b) => a.ms - b.ms))
  .map((list) => list.map(({ plan, ms }) => ({ plan, at: new Date(ms).toISOString() })));

/** The same by another way: every day for itself, amounts as fractions of whole days and checks. */
function naively(history: AccountMonth['changes'], used: number) {
  const ofDays = Array.from({ length: 30 }, (_, index) => {
    const day = new Date(Date.UTC(2026, 8, index + 1)).toISOString().slice(0, 10);
    const until = history.filter(({ at }) => at.slice(0, 10) <= day);
    const last = until.at(-1);
    return (last?.plan === 'none' && last.at.slice(0, 10) === day ? until.at(-2) : last)?.plan ?? 'none';
  });
  const had = [...new Set(ofDays)].flatMap((name) => PLANS.get(name) ?? []);
  const most = had.toSorted((a, b) => b.checksPerMonth - a.checksPerMonth)[0];
  const days = (name: string) => ofDays.filter((one) => one === name).length;
  return { ofDays, had, most, days, whole: most ? most.priceMonth : 0, used };
}

t.test('days, lines and bounds hold, whatever the changes', async (t) => {
  fc.assert(
    fc.property(changes, fc.nat(5000), (history, used) => {
      const bill = priceMonth('2026-09', account({ changes: history, used, tax_rate: 1900 }), PLANS);
      const { ofDays, had, most, days, whole } = naively(history, used);
      if (!bill) return used === 0 && had.length === 0;
      t.strictSame(
        bill.plans.flatMap((span) => Array<string>(span.days).fill(span.plan)),
        ofDays.filter((plan) => plan !== 'none'),
      );
      const fee = (name: string, price: number) => (price * days(name)) / 30;
      const fees = had.reduce((sum, { name, priceMonth }) => sum + fee(name, priceMonth), 0);
      const over = Math.max(used - (most?.checksPerMonth ?? 0), 0);
      const overage = most?.overage === 'bill' ? (over * most.pricePer1000Over) / 1000 : 0;
      const rounding = bill.lines.length + bill.plans.length;
      t.ok(bill.subtotal >= fees + overage - rounding, 'no less than the fees of the days');
      t.ok(
        bill.subtotal <= Math.max(whole, fees) + overage + rounding,
        'no more than the largest plan’s month',
      );
      const hadFree = had.some(({ priceMonth }) => priceMonth === 0);
      if (most && !hadFree && used >= most.checksPerMonth && whole > fees) {
        t.ok(Math.abs(bill.subtotal - whole - overage) <= rounding, 'all of a plan costs all of it');
      }
      t.equal(
        bill.subtotal,
        bill.lines.reduce((sum, { amount }) => sum + amount, 0),
      );
      t.equal(bill.total, bill.subtotal + bill.tax);
      return true;
    }),
    { numRuns: 300 },
  );
});

t.test('late checks cost the bill of their month with them less the bill without them', async (t) => {
  const from17th = [{ plan: 'growth', at: '2026-09-17T00:00:00Z' }];
  const late = (billed: number, checks: number) =>
    priceMonth(
      '2026-10',
      account({ changes: from17th, late: [{ month: '2026-09', billed, checks }] }),
      PLANS,
    )?.lines.slice(1);
  t.match(late(690, 10), [], 'within what the days include');
  t.match(late(700, 50), [{ kind: 'plan_checks', month: '2026-09', checks: 50, amount: 330 }]);
  t.match(late(1490, 20), [
    { kind: 'plan_checks', checks: 10, amount: 66 },
    { kind: 'overage', month: '2026-09', checks: 10, amount: 20 },
  ]);

  const part = fc.integer({ min: -50, max: 1500 });
  const terms = { plan: 'growth', price_month: 8_000, price_per_1000_over: null, from: '2026-07' };
  let charged = 0;
  fc.assert(
    fc.property(
      changes,
      fc.nat(3000),
      part,
      part,
      fc.nat(10_000),
      (history, used, first, second, discount) => {
        const agreed = [{ ...terms, discount }];
        const priced = (month: string, fields: Partial<AccountMonth>) =>
          priceMonth(month, account({ changes: history, terms: agreed, ...fields }), PLANS)?.lines ?? [];
        const sumOf = (lines: readonly { amount: number }[]) =>
          lines.reduce((sum, { amount }) => sum + amount, 0);
        /** The lines of late checks, whatever the next month itself costs. */
        const lateOf = (billed: number, checks: number) =>
          sumOf(
            priced('2026-10', { late: [{ month: '2026-09', billed, checks }] }).filter(
              (line) => 'month' in line && line.kind !== 'brought_forward',
            ),
          );
        const all = Math.max(used + first + second, 0);
        if (used + first < 0) return true;
        const apart = sumOf(priced('2026-09', { used })) + lateOf(used, first) + lateOf(used + first, second);
        if (lateOf(used, first) > 0) charged += 1;
        return apart === sumOf(priced('2026-09', { used: all }));
      },
    ),
    { numRuns: 1_000 },
  );
  t.ok(charged > 100, `${charged} months had late checks that cost something`);
});

t.test('quotas and overage are dated like prices', async (t) => {
  const base = { checks_per_month: 1000, checks_per_second: 1, retention_days: 1, price_month: 10_000 };
  const plans = parsePlans({
    free: { checks_per_month: 1, checks_per_second: 1, retention_days: 1 },
    growth: {
      ...base,
      prices_from: {
        '2026-09': {
          checks_per_month: 2000,
          overage: 'bill',
          checks_cap: 9000,
          price_per_1000_over: 500,
        },
      },
    },
  });
  const bill = (month: string, fields: Partial<AccountMonth>) => priceMonth(month, account(fields), plans);
  t.match(bill('2026-08', { used: 3000 }), { entitled: 1000, over: 2000, subtotal: 10_000 }, 'as it was');
  t.match(bill('2026-09', { used: 3000 }), { entitled: 2000, over: 1000, subtotal: 10_500 });
  t.match(
    bill('2026-10', { late: [{ month: '2026-08', billed: 900, checks: 2000 }] }),
    { subtotal: 10_000 },
    'a quota of today does not price late checks of an older month',
  );
  t.throws(
    () => parsePlans({ free: { ...base, prices_from: { '2026-09': { overage: 'bill' } } } }),
    /checks_cap/,
  );
  t.throws(
    () => parsePlans({ free: { ...base, prices_from: { '2026-09': { retention_days: 2 } } } }),
    /"retention_days" in prices_from/,
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
