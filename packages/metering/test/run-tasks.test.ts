import { eventually } from '@verdict/local-stack/eventually.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { TASKS_KEY } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { runTasks } from '../src/run-tasks.js';

const server = await startRedis();
t.teardown(() => server.stop());
const redis = connectForQueues({ url: server.url, timeoutMs: 20_000 }, 'test');
t.teardown(() => redis.disconnect());
const DAY_MS = 86_400_000;
const EVERY_MS = 400;

type Options = Partial<Parameters<typeof runTasks>[0]>;
/** A worker that looks often, with one task unless it is given others. */
const work = (options: Options) =>
  runTasks({ redis, tasks: [], lookEveryMs: 20, onAge() {}, onFailed() {}, onError() {}, ...options });
const counting = (name: string) => {
  const task = {
    name,
    everyMs: EVERY_MS,
    runs: 0,
    run: async () => {
      task.runs += 1;
    },
  };
  return task;
};

t.test("a jump of the worker's clock puts off no task", async (t) => {
  const task = counting('jump');
  const realNow = Date.now;
  Date.now = () => realNow() + DAY_MS;
  t.teardown(() => {
    Date.now = realNow;
  });
  // Set back during a look that has seen the second turn taken: from there on the next one is awaited.
  const setBack = () => {
    if (task.runs >= 2) Date.now = realNow;
  };
  const worker = work({ tasks: [task], onAge: setBack });
  t.teardown(() => worker.close());
  await eventually(() => task.runs >= 4);
});

t.test(
  'a turn that was noted in the future, by a clock that was set back since, puts off no task',
  async (t) => {
    const task = { ...counting('future'), everyMs: DAY_MS, runs: 0 };
    await redis.hset(TASKS_KEY, 'future:turn', 7, 'future:at', Math.floor(Date.now() / 1000) + 86_400);
    const run = async () => {
      task.runs += 1;
    };
    const worker = work({ tasks: [{ ...task, run }] });
    t.teardown(() => worker.close());
    await eventually(() => task.runs === 1);
    t.equal(await redis.hget(TASKS_KEY, 'future:turn'), '8');
  },
);

t.test('a worker that starts again does not begin a daily task again', async (t) => {
  const task = { ...counting('daily'), everyMs: DAY_MS };
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  const first = work({ tasks: [{ ...task, run }] });
  await eventually(() => runs === 1);
  await eventually(async () => (await redis.hget(TASKS_KEY, 'daily:done')) === '1');
  await first.close();
  const looks: number[] = [];
  const second = work({ tasks: [{ ...task, run }], onAge: (_, ageMs) => looks.push(ageMs) });
  t.teardown(() => second.close());
  await eventually(() => looks.length >= 5);
  t.equal(runs, 1);
});

t.test('each turn is taken by one worker, and the others wait from then on', async (t) => {
  const task = counting('shared');
  let atOnce = 0;
  let most = 0;
  const run = async () => {
    most = Math.max(most, ++atOnce);
    await task.run();
    atOnce -= 1;
  };
  const workers = Array.from({ length: 4 }, () => work({ tasks: [{ ...task, run }] }));
  t.teardown(() => Promise.all(workers.map((worker) => worker.close())));
  const startedAt = performance.now();
  await eventually(() => task.runs >= 5);
  const turns = (performance.now() - startedAt) / EVERY_MS;
  t.ok(task.runs <= turns + 2, `${task.runs} turns in the time of ${turns.toFixed(1)}`);
  t.equal(most, 1);
});

t.test('a task that hangs, or fails, delays only itself, and its age tells', async (t) => {
  const well = counting('well');
  const ages = new Map<string, number>();
  const failed: string[] = [];
  let release = () => {};
  const hung = new Promise<void>((resolve) => {
    release = resolve;
  });
  const worker = work({
    tasks: [
      { name: 'hangs', everyMs: EVERY_MS, run: () => hung },
      { name: 'fails', everyMs: EVERY_MS, run: () => Promise.reject(new Error('no')) },
      well,
    ],
    onAge: (task, ageMs) => ages.set(task, ageMs),
    onFailed: (task) => failed.push(task),
  });
  t.teardown(async () => {
    release();
    await worker.close();
  });
  await eventually(() => failed.length >= 3 && well.runs >= 3);
  t.ok(
    failed.every((task) => task === 'fails'),
    'it is tried again',
  );
  const ageOf = (task: string) => ages.get(task) ?? 0;
  // Ages are reported at each look, and the last look may be old.
  await eventually(() => ageOf('hangs') > 2 * EVERY_MS && ageOf('fails') > 2 * EVERY_MS);
  await eventually(() => ageOf('well') < ageOf('fails'));
});
