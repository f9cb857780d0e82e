import t from 'tap';
import type { Subscription } from '../src/api/billing.ts';
import { monthShare } from '../src/pages/billing/month-share.ts';
import { priceToCome } from '../src/pages/billing/plan-words.ts';
import { upcomingSentence } from '../src/pages/billing/upcoming-sentence.ts';
import { quotaSentence } from '../src/shell/quota-sentence.ts';
import { runsOutOn } from '../src/ui/quota/forecast.ts';

const NOVEMBER = { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' };
const NOON_OF_16TH = Date.parse('2026-11-16T12:00:00Z');

t.test('the forecast is the day the checks run out at the pace so far', async (t) => {
  const out = (used: number, now = NOON_OF_16TH) =>
    runsOutOn({ used, limit: 1000, ...NOVEMBER }, now)?.slice(0, 10);
  t.equal(out(800), '2026-11-20');
  t.equal(out(500), undefined, 'they last');
  t.equal(out(1000), undefined, 'they are used');
  t.equal(out(0), undefined);
  t.equal(out(900, Date.parse('2026-11-01T08:00:00Z')), undefined, 'nobody can tell on the first day');
});

const plan = (over: Partial<Subscription['plans'][number]>): Subscription['plans'][number] => ({
  name: 'free',
  checks_per_month: 1000,
  checks_per_second: 50,
  retention_days: 30,
  bulk_rows_max: 1000,
  bulk_kept_bytes: 20 * 1024 * 1024,
  list_entries: 1000,
  price_month: 0,
  price_per_1000_over: 200,
  overage: 'block',
  checks_cap: 1000,
  currency: 'EUR',
  current: true,
  next_price: null,
  upgrade: { days: 15, month_days: 30, fee: 0, checks: 1000 },
  ...over,
});

t.test('a banner speaks from 80 % on, with number and date', async (t) => {
  const said = (checks_used: number, over: Partial<Subscription> = {}) =>
    quotaSentence(
      {
        success: true,
        plan: 'free',
        period: NOVEMBER,
        checks_used,
        checks_limit: 1000,
        checks_remaining: 1000 - checks_used,
        resets_at: NOVEMBER.end,
        checks_included: 1000,
        overage: 'block',
        plan_changes: 'self',
        next_plan: null,
        plan_request: null,
        checks_per_second: 50,
        plans: [plan({})],
        ...over,
      },
      NOON_OF_16TH,
    );
  t.equal(said(799), null);
  t.equal(said(800), 'You have used 80.0% of 1,000 checks. At this pace they last until 20 November 2026.');
  t.equal(
    said(1000),
    'You have used all 1,000 checks. New checks are refused until 1 December 2026 or an upgrade.',
  );
  const billed = { overage: 'bill', checks_limit: 2000, plans: [plan({ overage: 'bill' })] } as const;
  t.equal(
    said(1001, { ...billed, plans: [...billed.plans] }),
    'You have used the 1,000 included checks. Further checks cost €2 per 1,000, up to 2,000.',
  );
});

t.test('billing says what the month costs so far and what to expect', async (t) => {
  const month = { month: '2026-11', closes_at: '2026-12-01T00:00:00.000Z', used: 1, currency: 'EUR' };
  const said = (total: number, expected: number) =>
    upcomingSentence({
      ...{ ...month, lines: [], subtotal: total, tax_rate: 0, tax: 0, total },
      expected: { used: 2, total: expected },
    });
  t.equal(
    said(4_290, 9_900),
    'November 2026 so far: €42.90. At this pace the invoice shortly after 1 December 2026 will be about €99.',
  );
  t.equal(
    said(9_900, 9_900),
    'November 2026 so far: €99. At this pace the invoice shortly after 1 December 2026 will be the same.',
  );
  t.equal(said(0, 0), 'November 2026 so far: €0. At this pace there will be no invoice.');
});

t.test('a new plan is paid for the days that are left, today included', async (t) => {
  t.strictSame(monthShare(49_900, NOVEMBER, NOON_OF_16TH), { days: 15, amount: 24_950 });
  t.strictSame(monthShare(100, NOVEMBER, Date.parse('2026-11-30T23:59:00Z')), { days: 1, amount: 3 });
  t.strictSame(monthShare(4900, NOVEMBER, Date.parse('2026-11-01T00:00:00Z')), { days: 30, amount: 4900 });
});

t.test(
  'a price to come names its day, and the price over quota where it is billed and changes',
  async (t) => {
    const next_price = { from: '2027-01', price_month: 2_100, price_per_1000_over: 300 };
    t.equal(priceToCome(plan({})), null);
    t.equal(
      priceToCome(plan({ name: 'starter', next_price })),
      'From 1 January 2027 the starter plan costs €21 a month.',
    );
    t.equal(
      priceToCome(plan({ name: 'scale', overage: 'bill', next_price })),
      'From 1 January 2027 the scale plan costs €21 a month, and €3 per 1,000 checks over quota.',
    );
  },
);
