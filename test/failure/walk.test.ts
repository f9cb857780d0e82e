import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@verdict/local-stack/eventually.js';
import { closeMonths } from '@verdict/metering/close-months.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import t, { type Test } from 'tap';
import { CHAOS } from './config.js';
import { buildPreload } from './support/build-preload.js';
import { printFigures } from './support/print-figures.js';
import { sampleCounters } from './support/sample-counters.js';
import { pick, seededRandom } from './support/seeded-random.js';
import { blowNamed, blowsOf, TURN } from './walk/blows.js';
import { faultsOf } from './walk/faults-of.js';
import { smallest } from './walk/smallest.js';
import { createWalker, type Step, type Walker } from './walk/walker.js';
import { MONTH, NEXT_MONTH, PLANS, startWorld, type World } from './walk/world.js';

/**
 * Customers register and walk at random while everything is killed, frozen, cut off and set to another time, and an oracle
 * written from the docs says what each answer has to be. At the end rows, rollups, counters and statements are what the
 * walks add up to.
 */
const MINUTE_MS = 60_000;
const SHRINK_MS = CHAOS.isLong ? 20 * MINUTE_MS : 3 * MINUTE_MS;
if (CHAOS.isLong) t.setTimeout(1_200_000 + CHAOS.walkMinutes * MINUTE_MS + CHAOS.kills * 30_000 + SHRINK_MS);
const library = buildPreload('set-clock');
const CUSTOMERS = 4;
const CUSTOMERS_MAX = 10;
const KEPT = ['free', 'basic'] as const;
const REGISTER = 'a customer registers';
/** Between two blows everybody walks at least so far, and after the last one. */
const STEPS = 12;
const SHRINK_TRIES = 60;

/** A step of a customer, or a blow if there is none. */
interface Taken extends Step {
  readonly tag: string | null;
}

t.test(
  `a walk at random gets only answers of the oracle; seed ${CHAOS.seed}`,
  library ? {} : { skip: 'no C compiler here: the clock of a process cannot be set' },
  async (t) => {
    const world = await startWorld(library ?? '');
    let isStopped = false;
    const stop = async () => {
      if (!isStopped) await world.stop();
      isStopped = true;
    };
    t.teardown(stop);
    const { walkers, taken, blows, instants, wrong } = await walk(world);
    const found = await Promise.all(
      walkers.map(async (one) => [...one.wrong, ...(await faultsOf(world, one))]),
    );
    const differences = [
      ...(await reconcile(world.metering, MONTH)),
      ...(await reconcile(world.metering, NEXT_MONTH)),
    ];
    const at = found.findIndex((faults) => faults.length > 0);
    const failed = walkers[at];
    await stop();
    if (failed) await showSmallest(t, failed, found[at] ?? [], taken);
    t.strictSame(found.flat(), [], 'every answer, row, count and statement is that of the oracle');
    t.strictSame(wrong, [], `a counter is the number of rows dated before, at each of ${instants} instants`);
    t.strictSame(differences, [], 'reconciliation agrees');
    const sum = (count: (one: Walker) => number) => walkers.reduce((total, one) => total + count(one), 0);
    const figures = {
      customers: walkers.length,
      steps: sum(({ journal }) => journal.length),
      answered: sum(({ answers }) => answers.length),
      refused: sum(({ refused }) => refused.length),
      unknown: sum(({ unknown }) => unknown.size),
      planChanges: sum(({ changes }) => changes.length - 1),
      instants,
      blows: blows.length,
    };
    t.comment(JSON.stringify({ ...figures, blows }));
    printFigures(`walk, seed ${CHAOS.seed}`, { ...figures, blows: tally(blows) });
  },
);

async function walk(world: World) {
  const random = seededRandom(CHAOS.seed);
  const walkers: Walker[] = [];
  const accountIds: string[] = [];
  const taken: Taken[] = [];
  const running: Promise<void>[] = [];
  let isOver = false;
  const failed = () => walkers.some(({ wrong }) => wrong.length > 0);
  async function join(): Promise<void> {
    const i = walkers.length;
    // The first two keep plans with a small limit, so that in every walk a month is used up, and a cap reached.
    const walker = await createWalker(world, `w${i}`, KEPT[i] ?? null);
    walkers.push(walker);
    accountIds.push(walker.accountId);
    const own = seededRandom(CHAOS.seed * 31 + i);
    running.push(
      (async () => {
        while (!isOver && walker.wrong.length === 0) {
          const step = walker.drawn(own);
          taken.push({ tag: walker.tag, ...step });
          await walker.take(step);
        }
      })(),
    );
  }
  for (let i = 0; i < CUSTOMERS; i++) await join();
  const samples = sampleCounters(world.redis.url, accountIds, [MONTH, NEXT_MONTH]);
  const progress = async () => {
    const targets = walkers.map(({ journal }) => journal.length + STEPS);
    const isThere = () =>
      failed() || targets.every((target, i) => (walkers[i]?.journal.length ?? 0) >= target);
    await eventually(isThere, { withinMs: 600_000 });
  };
  const all = [...blowsOf(world), { name: REGISTER, strike: join }];
  const blows: string[] = [];
  const startedAt = performance.now();
  const share = () => (performance.now() - startedAt) / (CHAOS.walkMinutes * MINUTE_MS || 1);
  while (!failed() && (blows.length < CHAOS.kills || (CHAOS.walkMinutes > 0 && share() < 1))) {
    await progress();
    const isHalf = blows.length >= CHAOS.kills / 2 && (CHAOS.walkMinutes === 0 || share() >= 0.5);
    const lot = Math.floor(random() * 2 ** 31);
    const drawn = pick(random, all);
    const blow = isHalf && !blows.includes(TURN) ? blowNamed(world, TURN) : drawn;
    if (blow.name === REGISTER && walkers.length >= CUSTOMERS_MAX) continue;
    blows.push(blow.name);
    if (blow.name !== REGISTER) taken.push({ tag: null, act: blow.name, lot });
    await blow.strike(seededRandom(lot));
  }
  await progress();
  isOver = true;
  await Promise.all(running);
  // Months with a small limit are used up to the last check, with nothing dying any more.
  await Promise.all(walkers.filter(isSmall).map((walker) => fill(walker)));
  await settle(world);
  await samples.stop();
  return { walkers, taken, blows, ...(await samples.compare(world.metering)) };
}

const isSmall = (walker: Walker) => walker.limit() < 1_000 && walker.wrong.length === 0;

async function fill(walker: Walker): Promise<void> {
  const isDone = async () => {
    if (walker.isFull() || walker.wrong.length > 0) return true;
    await walker.take({ act: 'volley', lot: walker.journal.length });
    return false;
  };
  await eventually(isDone, { withinMs: 240_000, everyMs: 1 });
}

/** Waits until nothing is queued, and closes the month if it is over. */
async function settle({ metering, isTurned }: World): Promise<void> {
  const isEmpty = async () => (await readBacklog(metering.redis, metering.shards)).oldestMs === null;
  await eventually(isEmpty, { withinMs: CHAOS.drainMs });
  if (!isTurned()) return;
  const isClosed = async () => {
    const closings = await closeMonths(metering, { plans: PLANS, graceMs: 0, month: MONTH });
    return closings.every(({ outcome }) => outcome === 'closed');
  };
  await eventually(isClosed, { withinMs: CHAOS.drainMs });
}

/** Repeats what happened to one customer, with each blow beside the step that followed it, and returns what is wrong. */
async function repeat(steps: readonly Taken[], { tag, keeps }: Walker): Promise<string[]> {
  const world = await startWorld(library ?? '');
  try {
    const walker = await createWalker(world, tag, keeps);
    let blow = Promise.resolve();
    for (const step of steps) {
      if (walker.wrong.length > 0) break;
      if (step.tag !== null) await walker.take(step);
      else {
        await blow;
        blow = blowNamed(world, step.act).strike(seededRandom(step.lot));
        await delay(1); // lets it begin
      }
    }
    await blow;
    if (isSmall(walker)) await fill(walker);
    await settle(world);
    return [...walker.wrong, ...(await faultsOf(world, walker))];
  } finally {
    await world.stop();
  }
}

/** Prints the steps that led to the fault, and then the smallest part of the walk that fails alone. */
async function showSmallest(t: Test, walker: Walker, faults: readonly string[], taken: readonly Taken[]) {
  const say = (line: string) => {
    t.comment(line);
    process.stderr.write(`${line}\n`);
  };
  say(`${walker.tag}, seed ${CHAOS.seed}: ${faults[0]}. Its last steps and blows were:`);
  for (const line of walker.journal.slice(-25)) say(`  ${line}`);
  const own = taken.filter(({ tag }) => tag === walker.tag || tag === null);
  for (const { tag, act, lot } of own.slice(-25)) say(`  ${tag ?? 'blow'} ${act} ${lot}`);
  let last = faults;
  const fails = async (steps: readonly Taken[]) => {
    const again = await repeat(steps, walker);
    if (again.length > 0) last = again;
    return again.length > 0;
  };
  const untilMs = performance.now() + SHRINK_MS;
  const least = await smallest(own, fails, { tries: SHRINK_TRIES, untilMs });
  if (!least) {
    say(`A repetition of its ${own.length} steps alone did not fail.`);
    return;
  }
  say(`${least.items.length} of ${own.length} steps are enough (${least.tries} repetitions): ${last[0]}`);
  for (const { tag, act, lot } of least.items) say(`  ${tag ?? 'blow'} ${act} ${lot}`);
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) {
    const kind = name.replace(/ \d+$/, '');
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
