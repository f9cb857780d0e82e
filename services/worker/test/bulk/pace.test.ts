import type { Verdict } from '@verdict/contracts/verdict.js';
import t from 'tap';
import { chunkSize, pauseAfterMs } from '../../src/bulk/pace.js';
import { scorePatiently } from '../../src/bulk/score-patiently.js';

t.test('a chunk is at most half a second of the rate, and what the quota has', async (t) => {
  const roomy = { rate: 5_000, quotaLeft: 1_000_000 };
  t.equal(chunkSize(roomy), 500);
  t.equal(chunkSize({ ...roomy, rate: 50 }), 25);
  t.equal(chunkSize({ ...roomy, rate: 1 }), 1);
  t.equal(chunkSize({ ...roomy, quotaLeft: 7 }), 7);
});

t.test('jobs of one key together stay at half of its rate, however long a chunk takes', async (t) => {
  for (const [checks, rate, sharing, tookMs] of [
    [25, 50, 1, 100],
    [25, 50, 3, 0],
    [500, 5_000, 1, 50],
    [500, 5_000, 2, 900],
  ] as const) {
    const cycleMs = tookMs + pauseAfterMs(checks, rate, sharing, tookMs);
    t.ok((checks * sharing * 1_000) / cycleMs <= rate / 2 + 1e-9, `${checks} at ${rate}, ${sharing} jobs`);
  }
});

const verdict = (mx_unknown: boolean): Verdict => ({ extra: { mx_unknown } }) as unknown as Verdict;

t.test('what DNS leaves unknown is asked again as long as that gets anywhere', async (t) => {
  let budget = 2;
  const asked: number[] = [];
  const score = async (emails: readonly string[]) => {
    asked.push(emails.length);
    return emails.map((_, i) => verdict(i >= budget));
  };
  let pauses = 0;
  const patience = {
    pause: async () => {
      pauses++;
    },
    isOver: () => false,
  };
  const verdicts = await scorePatiently(score, ['a', 'b', 'c', 'd', 'e'], 'acc', patience);
  t.notOk(verdicts.some(({ extra }) => extra.mx_unknown));
  t.same(asked, [5, 3, 1], 'only those that are open');
  t.equal(pauses, 2);

  budget = 0;
  asked.length = 0;
  const left = await scorePatiently(score, ['a', 'b'], 'acc', patience);
  t.ok(left.every(({ extra }) => extra.mx_unknown));
  t.same(asked, [2, 2, 2], 'and no longer');
  asked.length = 0;
  await scorePatiently(score, ['a'], 'acc', { ...patience, isOver: () => true });
  t.same(asked, [1], 'nor when the process is to stop');
});
