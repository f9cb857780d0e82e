import { setTimeout as delay } from 'node:timers/promises';
import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startTestServer } from '@verdict/local-stack/test-server.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import t, { type Test } from 'tap';
import { besideRows } from '../harness/beside-rows.js';
import { CHAOS } from './config.js';
import { startChaosStack } from './support/chaos-stack.js';
import { spellings } from './support/oracle.js';
import { printFigures } from './support/print-figures.js';
import { readUsed } from './support/read-used.js';
import { sampleCounters } from './support/sample-counters.js';
import { seedSmallAccount } from './support/seed-small-account.js';
import { pick, seededRandom } from './support/seeded-random.js';
import { createWalker, type Walker } from './support/walker.js';

/**
 * Customers walk at random while everything is killed, and an oracle written from the docs says what each answer has to be.
 * At the end rows, rollups and counters are what the walks add up to.
 */
const MINUTE_MS = 60_000;
if (CHAOS.isLong) t.setTimeout(1_200_000 + CHAOS.walkMinutes * MINUTE_MS + CHAOS.kills * 30_000);
const database = await startTestServer(`walk-postgres-${process.pid}`, { fsync: 'off' });
process.once('exit', database.stopNow);
const chaos = await startChaosStack(database.url, { BURSTS: 'on' });
const { stack, workers, metering } = chaos;
t.teardown(() => chaos.stop());
const postgres = {
  name: 'postgres',
  kill: database.kill,
  restart: () => eventually(() => database.restart().then(() => true)),
};
const redis = { name: 'redis', kill: () => stack.redis.kill(), restart: () => stack.redis.restart() };
const ACCOUNTS = 3;
/** Between two kills everybody walks at least so far, and the last ones after them. */
const STEPS = 12;
const SHOWN_STEPS = 25;

t.test(`a walk at random gets only answers of the oracle; seed ${CHAOS.seed}`, async (t) => {
  const random = seededRandom(CHAOS.seed);
  const small = await seedSmallAccount(stack);
  const accounts = [
    small,
    ...(await Promise.all(Array.from({ length: ACCOUNTS }, () => stack.createAccount()))),
  ];
  const walkers = accounts.map((account, i) =>
    createWalker({
      account,
      baseUrls: stack.baseUrls,
      random: seededRandom(CHAOS.seed * 31 + i),
      tag: `w${i}`,
    }),
  );
  await Promise.all(walkers.map((walker) => walker.settings({ bursts: true })));
  const samples = sampleCounters(
    stack.redis.url,
    accounts.map(({ accountId }) => accountId),
  );
  let isOver = false;
  const walking = walkers.map(async (walker) => {
    while (!isOver && walker.wrong.length === 0) await walker.step();
  });
  const failed = () => walkers.some(({ wrong }) => wrong.length > 0);
  const progress = async () => {
    const targets = walkers.map(({ journal }) => journal.length + STEPS);
    const isThere = () => failed() || walkers.every(({ journal }, i) => journal.length >= (targets[i] ?? 0));
    await eventually(isThere, { withinMs: 600_000 });
  };
  const targets = [...workers, ...stack.gateways, ...stack.scorings, stack.controlPlane, redis, postgres];
  const killed: string[] = [];
  const endsAt = Date.now() + CHAOS.walkMinutes * MINUTE_MS;
  while (!failed() && (killed.length < CHAOS.kills || Date.now() < endsAt)) {
    await progress();
    if (killed.length >= CHAOS.kills) continue;
    const target = pick(random, targets);
    await delay(Math.floor(random() * 200)); // where in a batch it strikes is part of the walk
    await target.kill();
    killed.push(target.name);
    await target.restart();
  }
  await progress();
  isOver = true;
  await Promise.all(walking);
  await samples.stop();
  for (const walker of walkers) if (walker.wrong.length > 0) showPrefix(t, walker);
  t.strictSame(
    walkers.flatMap(({ wrong }) => wrong),
    [],
    'every answer is that of the oracle',
  );

  // The small account is used up to its last check, with nothing dying any more.
  const [first] = walkers as [Walker];
  await eventually(
    async () => {
      await first.check();
      return first.isFull();
    },
    { withinMs: 240_000, everyMs: 1 },
  );
  await eventually(async () => (await readBacklog(metering.redis, metering.shards)).oldestMs === null, {
    withinMs: CHAOS.drainMs,
  });
  let answered = 0;
  for (const [i, walker] of walkers.entries()) {
    answered += walker.answers.length;
    const used = await assertWalked(t, walker);
    if (i === 0) t.equal(used, small.limit, 'exactly the quota was granted');
  }
  t.strictSame(await reconcile(metering, monthOf(new Date())), [], 'reconciliation agrees');
  const { instants, wrong } = await samples.compare(metering);
  t.strictSame(wrong, [], `a counter is the number of rows dated before, at each of ${instants} instants`);
  const steps = walkers.reduce((sum, { journal }) => sum + journal.length, 0);
  const unknown = walkers.reduce((sum, one) => sum + one.unknown.size, 0);
  const figures = { steps, answered, unknown, instants, kills: killed.length };
  t.comment(JSON.stringify({ ...figures, killed }));
  printFigures(`walk, seed ${CHAOS.seed}`, figures);
});

/** Rows, rollups and counter of one account are what its walk adds up to. Returns the counter. */
async function assertWalked(t: Test, walker: Walker): Promise<number> {
  const { accountId, answers, refused, revoked, unknown } = walker;
  t.strictSame(await besideRows(stack.sql, answers), [], `${answers.length} answers are their rows`);
  const rows = await stack.sql<{ id: string; email: string; seen: number | null }>(
    `SELECT l.id, s.email, l.seen[1]::int AS seen FROM check_logs l
     JOIN check_subjects s ON s.id = l.id AND s.created_at = l.created_at
     WHERE l.account_id = $1 ORDER BY l.created_at, l.seen[1], l.id`,
    [accountId],
  );
  const known = new Set(answers.map(({ id }) => id));
  const others = rows.filter(({ id }) => !known.has(id)).map(({ email }) => email);
  t.strictSame(
    others.filter((email) => !unknown.has(email)),
    [],
    'every other row is of a check whose sender got no answer',
  );
  t.equal(new Set(others).size, others.length, 'once each');
  const without = new Set([...refused, ...revoked]);
  t.strictSame(
    rows.filter(({ email }) => without.has(email)),
    [],
    'a refused check has no row',
  );
  const counted = rows.filter(({ email }) => email.endsWith('@gmail.com'));
  t.strictSame(
    counted.map(({ seen }) => seen),
    spellings(counted.map(({ email }) => email)),
    'every row has seen the spellings of its mailbox before it',
  );
  const [rolled] = await stack.sql<{ checks: number }>(
    'SELECT coalesce(sum(checks), 0)::int AS checks FROM usage_hourly WHERE account_id = $1',
    [accountId],
  );
  const used = await readUsed(metering.redis, accountId, monthOf(new Date()));
  t.strictSame([rolled?.checks, used], [rows.length, rows.length], 'rollups and counter are the rows');
  return used;
}

/** The walk up to its first wrong step: the same seed repeats it. */
function showPrefix(t: Test, { accountId, journal, wrong }: Walker): void {
  t.comment(`${accountId} went wrong at step ${journal.length} of seed ${CHAOS.seed}: ${wrong[0]}`);
  for (const line of journal.slice(-SHOWN_STEPS)) t.comment(line);
}
