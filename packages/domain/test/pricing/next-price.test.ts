import t from 'tap';
import { parsePlans } from '../../src/plans.js';
import { nextPrice } from '../../src/pricing/next-price.js';
import type { AccountTerms } from '../../src/pricing/prices-in.js';

const base = { checks_per_month: 100, checks_per_second: 1, retention_days: 1 };
const PLANS = parsePlans({
  free: base,
  growth: {
    ...base,
    price_month: 9_900,
    prices_from: { '2027-01': { price_month: 10_900 }, '2027-07': { price_month: 11_900 } },
  },
});
const terms = (from: string, price: number | null): AccountTerms => ({
  from,
  plan: 'growth',
  price_month: price,
  price_per_1000_over: null,
  discount: 0,
});

t.test('a customer sees the next price, and only until its month begins', async (t) => {
  const at = (month: string) => nextPrice(PLANS, 'growth', month, [])?.price_month ?? null;
  t.same(['2026-11', '2026-12', '2027-01', '2027-06', '2027-07'].map(at), [
    10_900,
    10_900,
    11_900,
    11_900,
    null,
  ]);
  t.equal(nextPrice(PLANS, 'free', '2026-11', []), null);
  t.equal(nextPrice(PLANS, 'unknown', '2026-11', []), null);
});

t.test('an agreed price hides announcements, and its own end is announced', async (t) => {
  const agreed = [terms('2026-10', 7_900), terms('2027-03', null)];
  t.same(nextPrice(PLANS, 'growth', '2026-11', agreed), {
    from: '2027-03',
    price_month: 10_900,
    price_per_1000_over: 0,
  });
  t.equal(nextPrice(PLANS, 'growth', '2026-11', [terms('2026-10', 7_900)]), null);
  t.match(nextPrice(PLANS, 'growth', '2026-11', [terms('2026-12', 8_900)]), {
    from: '2026-12',
    price_month: 8_900,
  });
});
