import t from 'tap';
import { pointsByStep } from '../src/ui/chart/chart-points.ts';
import { niceTicks } from '../src/ui/chart/nice-ticks.ts';

type Usage = Parameters<typeof pointsByStep>[0];

const usage = (by: Usage['by'], rows: readonly [at: string, checks: number][]): Usage => ({
  success: true,
  from: '',
  to: '',
  by,
  total: 0,
  by_decision: { allow: 0, challenge: 0, review: 0, block: 0 },
  rows: rows.map(([at, checks]) => ({ at, key_id: 'key_1', decision: 'block', checks })),
});

t.test('an axis has every day, and two keys of a day add up', async (t) => {
  const points = pointsByStep(
    usage('day', [
      ['2026-10-31', 2],
      ['2026-10-31', 3],
    ]),
    '2026-10-30',
    '2026-11-01',
  );
  t.strictSame(
    points.map(({ label, counts }) => [label, counts.block]),
    [
      ['30 Oct', 0],
      ['31 Oct', 5],
      ['1 Nov', 0],
    ],
  );
});

t.test('hours are labelled by the day at midnight, months run over a year', async (t) => {
  const hours = pointsByStep(usage('hour', [['2026-11-16T05:00:00Z', 1]]), '2026-11-16', '2026-11-16');
  t.equal(hours.length, 24);
  t.strictSame([hours[0]?.label, hours[5]?.label, hours[5]?.counts.block], ['16 Nov', '05:00', 1]);
  const months = pointsByStep(usage('month', [['2027-01', 4]]), '2026-11-16', '2027-01-02');
  t.strictSame(
    months.map(({ label }) => label),
    ['2026-11', '2026-12', '2027-01'],
  );
});

t.test('ticks are round and reach the highest bar', async (t) => {
  for (const highest of [1, 3, 7, 10, 99, 12_345]) {
    const ticks = niceTicks(highest);
    t.equal(ticks[0], 0);
    t.ok((ticks.at(-1) ?? 0) >= highest, `${highest}: ${ticks}`);
    t.ok(ticks.length <= 7 && ticks.every(Number.isInteger));
  }
});
