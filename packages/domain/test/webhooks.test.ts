import t from 'tap';
import { circuitPauseMs, retryDelayMs, WEBHOOK_RETRY_SECONDS } from '../src/webhook-schedule.js';
import { createWebhookSecret } from '../src/webhook-secret.js';

const low = () => 0;
const high = () => 1;

t.test(
  'the schedule is that of Standard Webhooks: nine more attempts within 76 hours, and a little more',
  async (t) => {
    const delays = (random: () => number) =>
      WEBHOOK_RETRY_SECONDS.map(
        (_, index) => retryDelayMs(index + 1, WEBHOOK_RETRY_SECONDS, null, random) ?? 0,
      );
    t.equal(
      delays(low).reduce((sum, ms) => sum + ms, 0),
      (75 * 3_600 + 35 * 60 + 5) * 1_000,
    );
    t.same(
      delays(high).map((ms, index) => ms / (delays(low)[index] ?? 1)),
      Array(9).fill(1.2),
    );
    t.equal(retryDelayMs(10, WEBHOOK_RETRY_SECONDS, null, low), null, 'ten attempts are enough');
  },
);

t.test('a receiver may ask for more time, but not for days', async (t) => {
  t.equal(retryDelayMs(1, [5], 60, low), 60_000);
  t.equal(retryDelayMs(1, [300], 60, low), 300_000, 'never for less');
  t.equal(retryDelayMs(1, [5], 1e9, low), 3_600_000);
});

t.test(
  'a circuit opens at the fifth failure in a row and for longer each time, up to ten minutes',
  async (t) => {
    t.same(
      [1, 4, 5, 6, 7].map((failures) => circuitPauseMs(failures, low)),
      [0, 0, 15_000, 30_000, 60_000],
    );
    t.equal(circuitPauseMs(1_000, high), 720_000);
  },
);

t.test('a secret is as long as the standard asks for', async (t) => {
  t.match(createWebhookSecret(), /^whsec_[A-Za-z0-9+/]{43}=$/);
});
