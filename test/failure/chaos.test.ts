import { setTimeout as delay } from 'node:timers/promises';
import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startTestServer } from '@verdict/local-stack/test-server.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import t from 'tap';
import { CHAOS } from './config.js';
import { accountFor } from './support/account-for.js';
import { assertAccount } from './support/assert-account.js';
import { startChaosStack } from './support/chaos-stack.js';
import { deliverTwice } from './support/deliver-twice.js';
import { LISTED_DOMAIN, startLoad } from './support/load.js';
import { printFigures } from './support/print-figures.js';
import { sampleCounters } from './support/sample-counters.js';
import { pick, seededRandom } from './support/seeded-random.js';

if (CHAOS.isLong) t.setTimeout(1_200_000 + CHAOS.seeds * CHAOS.kills * 15_000);
// A process dies here, not a machine: what was committed is in the system's cache.
const database = await startTestServer(`chaos-postgres-${process.pid}`, { fsync: 'off' });
process.once('exit', database.stopNow);
const chaos = await startChaosStack(database.url);
const { stack, workers, metering } = chaos;
t.teardown(() => chaos.stop());
const postgres = {
  name: 'postgres',
  kill: database.kill,
  // It refuses to start while a process of the dead one still has its memory.
  restart: () => eventually(() => database.restart().then(() => true)),
};
/** The second has a list. */
const accounts = [stack, await stack.createAccount()];
const accountIds = accounts.map(({ accountId }) => accountId);
await blockListedDomain();
t.comment(`${CHAOS.seeds} seeds from ${CHAOS.seed}, ${CHAOS.kills} kills each, ${CHAOS.clients} clients`);

/** The number of 200s: chaos continues only while the service is alive in between. */
const progress = (load: { attempts: readonly { status: number }[] }, more: number) => {
  const answered = () => load.attempts.filter(({ status }) => status === 200).length;
  const target = answered() + more;
  return eventually(() => answered() >= target, { withinMs: 240_000 });
};
const loadOptions = (tag: string) => ({
  baseUrls: stack.baseUrls,
  accounts,
  clients: CHAOS.clients,
  tag,
  keyed: true,
});
const everything: Awaited<ReturnType<typeof startLoad>>['attempts'][number][] = [];

for (let seed = CHAOS.seed; seed < CHAOS.seed + CHAOS.seeds; seed++) {
  t.test(`whatever is killed, every answer is one row and one count; seed ${seed}`, async (t) => {
    const random = seededRandom(seed);
    const samples = sampleCounters(stack.redis.url, accountIds);
    const load = startLoad(loadOptions(`kill-${seed}`));
    const redis = { name: 'redis', kill: () => stack.redis.kill(), restart: () => stack.redis.restart() };
    const [worker, gateway, scoring] = [workers[0], stack.gateways[0], stack.scorings[0]];
    if (!worker || !gateway || !scoring) throw new Error('the stack is not complete');
    // One of each kind dies before lots are drawn: a run that happens to spare Redis would prove little.
    const order = [worker, gateway, redis, postgres, scoring, stack.controlPlane].slice(0, CHAOS.kills);
    const targets = [...workers, ...stack.gateways, ...stack.scorings, stack.controlPlane, redis, postgres];
    while (order.length < CHAOS.kills) order.push(pick(random, targets));
    order.sort(() => random() - 0.5);
    const killed: string[] = [];
    for (const target of order) {
      await progress(load, 20);
      await delay(Math.floor(random() * 200)); // where in a batch it strikes is part of the chaos
      await target.kill();
      killed.push(target.name);
      await target.restart();
    }
    await progress(load, 20);
    await load.stop();
    await samples.stop();
    for (const attempt of load.attempts) everything.push(attempt);
    const counts = Object.fromEntries(
      [...new Set(killed)].map((name) => [name, killed.filter((one) => one === name).length]),
    );
    t.comment(`killed: ${killed.join(', ')}`);
    printFigures(`seed ${seed}, killed`, counts);
    assertAccount(t, await accountFor(metering, accountIds, everything, CHAOS.drainMs));
    const { instants, wrong } = await samples.compare(metering);
    printFigures(`seed ${seed}, counters`, { instants, wrong: wrong.length });
    t.strictSame(wrong, [], `a counter is the number of rows dated before, at each of ${instants} instants`);
    t.ok(
      load.attempts.some(({ decision }) => decision === 'block'),
      'the list was asked',
    );
  });
}

t.test('Postgres killed: no check fails, none is lost, and the workers catch up', async (t) => {
  const load = startLoad(loadOptions('away'));
  await progress(load, 10);
  await postgres.kill();
  await delay(CHAOS.postgresAwayMs);
  await progress(load, 10);
  const { waiting, active } = await readBacklog(metering.redis, metering.shards);
  await postgres.restart();
  await progress(load, 10);
  await load.stop();
  for (const attempt of load.attempts) everything.push(attempt);
  t.ok(
    waiting + active > 0,
    `${waiting + active} jobs waited for it, ${active} of them in the workers' hands`,
  );
  t.strictSame(
    load.attempts.filter(({ status }) => status !== 200),
    [],
    'every check was answered meanwhile',
  );
  assertAccount(t, await accountFor(metering, accountIds, everything, CHAOS.drainMs));
});

t.test('jobs that are delivered twice, to two workers at once, change nothing', async (t) => {
  const load = startLoad(loadOptions('twice'));
  await progress(load, 10);
  for (const worker of workers) worker.signal('SIGSTOP');
  await progress(load, 50);
  const copied = await deliverTwice(metering.redis, 20);
  t.strictSame(await reconcile(metering, monthOf(new Date())), [], 'a copy in the queue is no second check');
  for (const worker of workers) worker.signal('SIGCONT');
  await progress(load, 10);
  await load.stop();
  for (const attempt of load.attempts) everything.push(attempt);
  t.ok(copied > 0, `${copied} checks were queued a second time`);
  assertAccount(t, await accountFor(metering, accountIds, everything, CHAOS.drainMs));
});

t.test('Redis stopped: clients get 503 or no answer, never a 200 without a row', async (t) => {
  const load = startLoad(loadOptions('stopped'));
  await progress(load, 10);
  // Every client's check is held before its step, and nothing else is on its way: there Redis goes.
  for (const scoring of stack.scorings) scoring.signal('SIGSTOP');
  let seen = -1;
  await eventually(
    async () => {
      const before = seen;
      seen = load.attempts.length;
      return before === seen && (await readBacklog(metering.redis, metering.shards)).oldestMs === null;
    },
    { everyMs: 500 },
  );
  const before = load.attempts.length;
  await stack.redis.kill();
  for (const scoring of stack.scorings) scoring.signal('SIGCONT');
  await eventually(() => load.attempts.length >= before + 2 * CHAOS.clients);
  t.strictSame(
    load.attempts.slice(before, before + CHAOS.clients).filter(({ status }) => status !== 503),
    [],
    'none of them was answered without its log',
  );
  await stack.redis.restart();
  await progress(load, 20);
  await load.stop();
  for (const attempt of load.attempts) everything.push(attempt);
  const statuses = new Set(load.attempts.map(({ status }) => status));
  t.strictSame(
    [...statuses].filter((status) => ![200, 503, 0].includes(status)),
    [],
  );
  assertAccount(t, await accountFor(metering, accountIds, everything, CHAOS.drainMs));
});

t.test('Redis emptied: the counter comes back from Postgres, not from zero', async (t) => {
  await metering.redis.flushall();
  const load = startLoad(loadOptions('emptied'));
  await progress(load, 10);
  await load.stop();
  for (const attempt of load.attempts) everything.push(attempt);
  assertAccount(t, await accountFor(metering, accountIds, everything, CHAOS.drainMs));
});

async function blockListedDomain(): Promise<void> {
  const [{ email, password } = stack] = accounts.slice(1);
  const [base] = stack.baseUrls;
  const { body } = await http<{ access: string }>(`${base}auth/jwt/create/`, { json: { email, password } });
  const headers = { authorization: `Bearer ${body.access}` };
  const added = await http(`${base}lists/block/`, { json: { value: LISTED_DOMAIN }, headers });
  if (added.status !== 201) throw new Error(added.text);
}
