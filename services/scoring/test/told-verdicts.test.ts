import type { FrameAnswer } from '@verdict/contracts/scoring-frames.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import t from 'tap';
import { createToldVerdicts } from '../src/frames/told-verdicts.js';
import type { CompleteVerdict } from '../src/score/complete-verdict.js';

const VERSION = { version: '2026-11-01' };
const datasetsOf = (count: number) => ({
  disposable_domains: { count, ...VERSION },
  free_providers: VERSION,
  role_prefixes: VERSION,
});
const DATASETS = datasetsOf(1);
const verdict = () => sampleVerdict() as CompleteVerdict;
const [a, b, c] = [verdict(), verdict(), verdict()];

/** The answer for a batch of these verdicts. */
const open = (toldMax?: number) => {
  const write = createToldVerdicts(toldMax);
  return (verdicts: readonly CompleteVerdict[], datasets = DATASETS) =>
    JSON.parse(
      write(datasets, verdicts.length, (add) => {
        for (const [index, each] of verdicts.entries()) add(index, each);
      }),
    ) as FrameAnswer;
};

t.test(
  'a verdict is written once, then named by its number; datasets are written when they change',
  async (t) => {
    const tell = open();
    t.strictSame(tell([a, b, a]), { datasets: DATASETS, verdicts: [a, b], checks: [0, 0, 1, 1, 2, 0] });
    t.strictSame(tell([b]), { checks: [0, 1] });
    t.strictSame(tell([c, a]), { verdicts: [c], checks: [0, 2, 1, 0] });
    t.strictSame(tell([a], datasetsOf(2)).datasets, datasetsOf(2));
  },
);

t.test('the dictionary is bounded: an answer that may exceed it resets it first', async (t) => {
  const tell = open(2);
  t.strictSame(tell([a]).checks, [0, 0]);
  t.strictSame(tell([b]).reset, undefined);
  t.strictSame(tell([b]), { reset: true, datasets: DATASETS, verdicts: [b], checks: [0, 0] });
});

t.test('verdicts of an answer that was never finished are written again', async (t) => {
  const write = createToldVerdicts();
  t.throws(() =>
    write(DATASETS, 2, (add) => {
      add(0, a);
      throw new Error('the second address does not parse');
    }),
  );
  t.match(JSON.parse(write(DATASETS, 1, (add) => add(0, a))), {
    reset: true,
    datasets: DATASETS,
    verdicts: [a],
  });
});
