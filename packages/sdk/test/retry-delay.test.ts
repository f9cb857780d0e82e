import t from 'tap';
import { retryDelayMs } from '../src/retry-delay.js';

t.test('waits double, are jittered and have a ceiling', async (t) => {
  const longest = (attempt: number) => retryDelayMs(attempt, null, () => 1);
  t.strictSame([0, 1, 2, 3].map(longest), [50, 100, 200, 400]);
  t.equal(longest(30), 2_000);
  t.equal(
    retryDelayMs(3, null, () => 0),
    0,
  );
});

t.test('what the server asked for comes before the jitter', async (t) => {
  t.equal(
    retryDelayMs(0, 2, () => 0),
    2_000,
  );
  t.equal(
    retryDelayMs(0, 2, () => 1),
    2_050,
  );
});
