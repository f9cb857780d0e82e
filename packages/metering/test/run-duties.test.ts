import { eventually } from '@verdict/local-stack/eventually.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { DUTIES_KEY } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { runDuties } from '../src/run-duties.js';

const server = await startRedis();
t.teardown(() => server.stop());
const redis = connectForQueues({ url: server.url, timeoutMs: 20_000 }, 'test');
t.teardown(() => redis.disconnect());
const DAY_MS = 86_400_000;
const EVERY_MS = 400;

type Options = Partial<Parameters<typeof runDuties>[0]>;
/** A worker that looks often, with one duty unless it is given others. */
const work = (options: Options) =>
  runDuties({ redis, duties: [], lookEveryMs: 20, onAge() {}, onFailed() {}, onError() {}, ...options });
const counting = (name: string) => {
  const duty = {
    name,
    everyMs: EVERY_MS,
    runs: 0,
    run: async () => {
      duty.runs += 1;
    },
  };
  return duty;
};

t.test("a jump of the worker's clock puts off no duty", async (t) => {
  const duty = counting('jump');
  const realNow = Date.now;
  Date.now = () => realNow() + DAY_MS;
  t.teardown(() => {
    Date.now = realNow;
  });
  // Set back while a look is under way that has seen the second turn taken: from there on the next one is waited for.
  const setBack = () => {
    if (duty.runs >= 2) Date.now = realNow;
  };
  const worker = work({ duties: [duty], onAge: setBack });
  t.teardown(() => worker.close());
  await eventually(() => duty.runs >= 4);
});

t.test(
  'a turn that was noted in the future, by a clock that was set back since, puts off no duty',
  async (t) => {
    const duty = { ...counting('future'), everyMs: DAY_MS, runs: 0 };
    await redis.hset(DUTIES_KEY, 'future:turn', 7, 'future:at', Math.floor(Date.now() / 1000) + 86_400);
    const run = async () => {
      duty.runs += 1;
    };
    const worker = work({ duties: [{ ...duty, run }] });
    t.teardown(() => worker.close());
    await eventually(() => duty.runs === 1);
    t.equal(await redis.hget(DUTIES_KEY, 'future:turn'), '8');
  },
);

t.test('a worker that starts again does not begin a daily duty again', async (t) => {
  const duty = { ...counting('daily'), everyMs: DAY_MS };
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  const first = work({ duties: [{ ...duty, run }] });
  await eventually(() => runs === 1);
  await eventually(async () => (await redis.hget(DUTIES_KEY, 'daily:done')) === '1');
  await first.close();
  const looks: number[] = [];
  const second = work({ duties: [{ ...duty, run }], onAge: (_, ageMs) => looks.push(ageMs) });
  t.teardown(() => second.close());
  await eventually(() => looks.length >= 5);
  t.equal(runs, 1);
});

t.test('each turn is taken by one worker, and the others wait from then on', async (t) => {
  const duty = counting('shared');
  let atOnce = 0;
  let most = 0;
  const run = async () => {
    most = Math.max(most, ++atOnce);
    await duty.run();
    atOnce -= 1;
  };
  const workers = Array.from({ length: 4 }, () => work({ duties: [{ ...duty, run }] }));
  t.teardown(() => Promise.all(workers.map((worker) => worker.close())));
  const startedAt = performance.now();
  await eventually(() => duty.runs >= 5);
  const turns = (performance.now() - startedAt) / EVERY_MS;
  t.ok(duty.runs <= turns + 2, `${duty.runs} turns in the time of ${turns.toFixed(1)}`);
  t.equal(most, 1);
});

t.test('a duty that hangs, or fails, delays only itself, and its age tells', async (t) => {
  const well = counting('well');
  const ages = new Map<string, number>();
  const failed: string[] = [];
  let release = () => {};
  const hung = new Promise<void>((resolve) => {
    release = resolve;
  });
  const worker = work({
    duties: [
      { name: 'hangs', everyMs: EVERY_MS, run: () => hung },
      { name: 'fails', everyMs: EVERY_MS, run: () => Promise.reject(new Error('no')) },
      well,
    ],
    onAge: (duty, ageMs) => ages.set(duty, ageMs),
    onFailed: (duty) => failed.push(duty),
  });
  t.teardown(async () => {
    release();
    await worker.close();
  });
  await eventually(() => failed.length >= 3 && well.runs >= 3);
  t.ok(
    failed.every((duty) => duty === 'fails'),
    'it is tried again',
  );
  const ageOf = (duty: string) => ages.get(duty) ?? 0;
  // Ages are told at each look, and the last look may be an old one.
  await eventually(() => ageOf('hangs') > 2 * EVERY_MS && ageOf('fails') > 2 * EVERY_MS);
  await eventually(() => ageOf('well') < ageOf('fails'));
});
