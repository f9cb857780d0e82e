import t from 'tap';
import { createAllowance } from '../src/looks/allowance.js';

t.test('a second’s worth at once, then as time gives it back, to each holder apart', async (t) => {
  let nowMs = 1_000;
  const allowance = createAllowance(5, () => nowMs);
  const takes = (holder: string, count: number) =>
    Array.from({ length: count }, () => allowance.take(holder)).filter(Boolean).length;
  t.equal(takes('a', 10), 5);
  t.equal(takes('b', 10), 5);
  nowMs += 400;
  t.equal(takes('a', 10), 2);
  nowMs += 60_000;
  t.equal(takes('a', 10), 5, 'never more than a second’s worth');
});
