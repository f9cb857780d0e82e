import t from 'tap';
import { expectedUse } from '../../src/pricing/expected-use.js';

t.test('a month goes on as it began, up to its limit and never below what was used', async (t) => {
  const at = (used: number, moment: string, limit = 1_000_000) =>
    expectedUse(used, '2026-11', new Date(moment), limit);
  t.equal(at(1_500, '2026-11-16T00:00:00Z'), 3_000);
  t.equal(at(10, '2026-11-01T00:01:00Z'), 300, 'a minute counts as the first day');
  t.equal(at(900, '2026-11-16T00:00:00Z', 1_000), 1_000, 'a plan that blocks ends there');
  t.equal(at(1_200, '2026-11-16T00:00:00Z', 1_000), 1_200, 'a limit that shrank takes nothing back');
  t.equal(at(0, '2026-11-16T00:00:00Z'), 0);
});
