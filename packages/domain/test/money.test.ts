import t from 'tap';
import { formatAmount, formatMoney, formatRate, minorDigits, parseAmount, parseRate } from '../src/money.js';
import { parsePlans, plansNoSmallerThan } from '../src/plans.js';

t.test('amounts are whole minor units and keep every digit', async (t) => {
  t.equal(formatMoney(1_234_550, 'EUR'), '12,345.50 EUR');
  t.equal(formatMoney(-5, 'EUR'), '-0.05 EUR');
  t.equal(formatMoney(1234, 'JPY'), '1,234 JPY');
  t.equal(formatAmount(9_007_199_254_740_991, 'EUR', ''), '90071992547409.91');
  t.equal(minorDigits('BHD'), 3);
  t.throws(() => formatAmount(1.5, 'EUR'));
  for (const minor of [0, 1, -1, 99, 100, 123_456_789]) {
    t.equal(parseAmount(formatAmount(minor, 'EUR', ''), 'EUR'), minor);
  }
  for (const text of ['', '1.234', '1,50', 'x', '1.2.3', '--1'])
    t.equal(parseAmount(text, 'EUR'), null, text);
});

t.test('rates are hundredths of a percent', async (t) => {
  t.strictSame([0, 5, 700, 725, 1900, 10_000].map(formatRate), [
    '0 %',
    '0.05 %',
    '7 %',
    '7.25 %',
    '19 %',
    '100 %',
  ]);
  t.strictSame(['19', '7.25', '7.5 %', '101', '-1', 'x'].map(parseRate), [1900, 725, 750, null, null, null]);
});

const base = { checks_per_month: 10, checks_per_second: 1, retention_days: 1 };

t.test('a plan that bills needs a cap; a plan that blocks stops at its quota', async (t) => {
  const plans = parsePlans({
    free: base,
    metered: { ...base, overage: 'bill', checks_cap: 50, price_month: 100, price_per_1000_over: 7 },
  });
  t.match(plans.get('free'), { checksLimit: 10, overage: 'block', priceMonth: 0, currency: 'EUR' });
  t.match(plans.get('metered'), { checksPerMonth: 10, checksLimit: 50 });
  const wrong: [object, RegExp][] = [
    [{ free: { ...base, overage: 'bill' } }, /checks_cap/],
    [{ free: { ...base, overage: 'bill', checks_cap: 9 } }, /at least 10 for checks_cap/],
    [{ free: { ...base, overage: 'stop' } }, /block or bill/],
    [{ free: { ...base, price_month: 19.99 } }, /whole number.*price_month/],
    [{ free: { ...base, prices_from: [] } }, /object of prices by month/],
    [{ free: { ...base, prices_from: { '2027-13': {} } } }, /months such as "2027-01"/],
    [{ free: { ...base, prices_from: { '2027-01': { price: 1 } } } }, /"price" in prices_from/],
    [{ free: { ...base, prices_from: { '2027-01': { price_month: -1 } } } }, /whole number.*price_month/],
    [{ free: { ...base, currency: 'euro' } }, /three capital letters/],
    [{ free: base, us: { ...base, currency: 'USD' } }, /one currency/],
  ];
  for (const [file, sentence] of wrong) t.throws(() => parsePlans(file), sentence);
});

t.test('an upgrade costs more, or entitles to more for the same price', async (t) => {
  const plans = parsePlans({
    free: base,
    bigger: { ...base, checks_per_month: 20 },
    paid: { ...base, checks_per_month: 5, price_month: 100 },
  });
  t.strictSame(plansNoSmallerThan(plans, 'paid'), ['paid']);
  t.strictSame(plansNoSmallerThan(plans, 'bigger'), ['bigger', 'paid']);
  t.strictSame(plansNoSmallerThan(plans, 'free'), ['free', 'bigger', 'paid']);
});
