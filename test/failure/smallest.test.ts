import t from 'tap';
import { seededRandom } from './support/seeded-random.js';
import { smallest } from './walk/smallest.js';

const LIMITS = { tries: 1_000, untilMs: Number.POSITIVE_INFINITY };
const steps = Array.from({ length: 60 }, (_, i) => i);

/** A walk that fails when it takes these steps in their order, whatever else it does. */
const needing =
  (...needed: number[]) =>
  async (taken: readonly number[]) =>
    needed.every((step) => taken.includes(step));

t.test('exactly the steps that a failure needs are left', async (t) => {
  for (const needed of [[0], [59], [7, 8], [0, 30, 59], [11, 12, 40, 41, 58]])
    t.strictSame((await smallest(steps, needing(...needed), LIMITS))?.items, needed);
});

t.test('a walk that fails by luck is repeated once more before it is given up', async (t) => {
  const random = seededRandom(1);
  let calls = 0;
  t.equal(await smallest(steps, async () => calls++ > 5, LIMITS), null);
  t.equal(calls, 2);
  const sometimes = async (taken: readonly number[]) => taken.includes(9) && random() < 0.7;
  const found = await smallest(steps, sometimes, LIMITS);
  t.ok(found?.items.includes(9));
  t.ok((found?.items.length ?? 60) < 30, `${found?.items.length} steps are left`);
});

t.test('the part found so far is returned when tries or time run out', async (t) => {
  const few = await smallest(steps, needing(3), { ...LIMITS, tries: 3 });
  t.match(few, { tries: 3 });
  t.ok(few?.items.includes(3) && few.items.length < steps.length);
  const late = await smallest(steps, needing(3), { ...LIMITS, untilMs: 0 });
  t.strictSame(late?.items, steps, 'no time for a single one');
});
