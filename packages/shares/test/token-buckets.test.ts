import t from 'tap';
import { createTokenBuckets } from '../src/token-buckets.js';

t.test('a burst at once, then as time gives it back, to each owner apart', async (t) => {
  let nowMs = 1_000;
  const buckets = createTokenBuckets({ burst: 5, perSecond: 5, ownersMax: 10, now: () => nowMs });
  const takes = (owner: string, count: number) =>
    Array.from({ length: count }, () => buckets.take(owner)).filter(Boolean).length;
  t.equal(takes('a', 10), 5);
  t.equal(buckets.isEmpty('a'), true);
  t.equal(buckets.isEmpty('b'), false);
  t.equal(takes('b', 10), 5);
  nowMs += 400;
  t.equal(takes('a', 10), 2);
  nowMs += 60_000;
  t.equal(takes('a', 10), 5, 'never more than a burst');
});

t.test('an owner is not silenced when the clock of the machine is set back a day', async (t) => {
  const real = Date.now;
  let aheadMs = 86_400_000;
  Date.now = () => real() + aheadMs;
  t.teardown(() => {
    Date.now = real;
  });
  const buckets = createTokenBuckets({ burst: 5, perSecond: 5, ownersMax: 10, debtMax: 5 });
  t.equal(buckets.take('a'), true);
  aheadMs = 0;
  t.equal(buckets.take('a'), true);
  t.equal(buckets.secondsInDebt('a'), 0);
});
