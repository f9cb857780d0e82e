import t from 'tap';
import { matches } from '../src/matches.js';

t.test('a value is held against the named parts, and every difference has its place', async (t) => {
  const value = { code: 'timeout', limits: { rate: 5 }, results: [1, 2] };
  t.strictSame(matches(value, { limits: { rate: 5 } }, 'outcome'), []);
  t.strictSame(matches(value, { code: '~time', gone: null }, 'outcome'), []);
  t.strictSame(matches(value, { limits: { rate: 6 } }, 'outcome'), ['outcome.limits.rate is 5 instead of 6']);
  t.strictSame(matches(value, { results: [1] }, 'outcome'), ['outcome.results has 2 entries instead of 1']);
  t.strictSame(matches(value, { results: { length: 2 } }, 'outcome'), []);
  t.strictSame(matches(undefined, { code: 'x' }, 'outcome').length, 1);
});
