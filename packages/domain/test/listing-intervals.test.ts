import t from 'tap';
import { coversDay, listingIntervals } from '../src/listing-intervals.js';

const change = (source: string, listed: boolean, day: string) => ({ source, listed, day });

t.test('changes become intervals, and what never changed is open at both ends', async (t) => {
  const changes = [
    change('a', true, '2026-11-01'),
    change('b', false, '2026-11-02'),
    change('a', false, '2026-11-05'),
    change('a', true, '2026-11-09'),
  ];
  t.strictSame(listingIntervals(changes, ['a', 'c']), [
    { source: 'b', from: null, to: '2026-11-02' },
    { source: 'a', from: '2026-11-01', to: '2026-11-05' },
    { source: 'a', from: '2026-11-09', to: null },
    { source: 'c', from: null, to: null },
  ]);
  t.strictSame(listingIntervals([], []), []);
});

t.test('a day is covered from the first day of a listing until the day it ended', async (t) => {
  const interval = { source: 'a', from: '2026-11-01', to: '2026-11-05' };
  t.strictSame(
    ['2026-10-31', '2026-11-01', '2026-11-04', '2026-11-05'].map((day) => coversDay(interval, day)),
    [false, true, true, false],
  );
  t.ok(coversDay({ source: 'a', from: null, to: null }, '2020-01-01'));
});
