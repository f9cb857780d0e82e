import t from 'tap';
import { limitHeaders } from '../src/check/limit-headers.js';

const view = (rateWaitMicros: number, rate = 100) =>
  limitHeaders(
    {
      ...{ plan: 'free', limit: 1_000, rate, rateLeft: 0, rateWaitMicros, used: 1 },
      ...{ isTest: false, nowMicros: 0 },
    },
    1,
  );

t.test('the reset of a rate is when all of it is there again', async (t) => {
  t.equal(view(0)['ratelimit-reset'], 1);
  t.equal(view(10_000)['ratelimit-reset'], 1, 'a second was just spent');
  t.equal(view(10_001)['ratelimit-reset'], 2);
  t.equal(view(3_010_000)['ratelimit-reset'], 4, 'checks of the greatest weight');
  t.equal(view(1_000_000, 1)['ratelimit-reset'], 1);
});
