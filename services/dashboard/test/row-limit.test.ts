import t from 'tap';
import { countRows } from '../src/pages/bulk/count-rows.ts';
import { planForRows } from '../src/pages/bulk/plan-for-rows.ts';

t.test('lines are counted whether the last one has an end or not', async (t) => {
  t.equal(await countRows(new Blob(['email\na@b.example\n'])), 2);
  t.equal(await countRows(new Blob(['email\n', 'a@b.example'])), 2);
  t.equal(await countRows(new Blob(['email\r\n'.repeat(100_000)])), 100_000);
  t.equal(await countRows(new Blob([])), 0);
});

t.test('the smallest plan that takes the file is offered, and never the present one', async (t) => {
  const plans = [
    { name: 'scale', bulk_rows_max: 1_000_000, current: false },
    { name: 'free', bulk_rows_max: 1_000, current: true },
    { name: 'starter', bulk_rows_max: 25_000, current: false },
  ];
  t.equal(planForRows(plans, 5_000)?.name, 'starter');
  t.equal(planForRows(plans, 25_001)?.name, 'scale');
  t.equal(planForRows(plans, 0)?.name, 'starter', 'where nobody knows how many rows there are');
  t.equal(planForRows(plans, 2_000_000), undefined);
});
