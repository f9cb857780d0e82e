import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import t from 'tap';
import { every } from '../src/every.js';
import { createSingleFlight } from '../src/single-flight.js';

/** A promise that the test settles. */
function gate() {
  let open: () => void = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

t.test(
  'who asks while the same is being asked waits for that answer; afterwards it is asked anew',
  async (t) => {
    const inOneFlight = createSingleFlight<number>();
    const { passed, open } = gate();
    let asked = 0;
    const ask = async () => {
      asked++;
      await passed;
      return asked;
    };
    const answers = [inOneFlight('a', ask), inOneFlight('a', ask), inOneFlight('b', ask)];
    t.equal(asked, 2, 'once for each key');
    open();
    t.strictSame(await Promise.all(answers), [2, 2, 2]);
    t.equal(await inOneFlight('a', ask), 3);
  },
);

t.test('a flight that failed fails all who waited for it, and is not remembered', async (t) => {
  const inOneFlight = createSingleFlight<string>();
  const fail = async () => {
    throw new Error('away');
  };
  const outcomes = await Promise.allSettled([inOneFlight('a', fail), inOneFlight('a', fail)]);
  t.ok(outcomes.every(({ status }) => status === 'rejected'));
  t.equal(await inOneFlight('a', async () => 'there'), 'there');
});

t.test(
  'what is repeated never runs twice at once, outlives a failure, and ends with the turn in hand',
  async (t) => {
    const turns = new PassThrough({ objectMode: true });
    let running = 0;
    let most = 0;
    let failures = 0;
    const stop = every(
      1,
      async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        turns.write({});
        throw new Error('away');
      },
      () => failures++,
    );
    for (let turn = 0; turn < 3; turn++) await once(turns, 'data');
    await stop();
    t.equal(most, 1);
    t.equal(running, 0, 'nothing is left running');
    t.ok(failures >= 3);
  },
);
