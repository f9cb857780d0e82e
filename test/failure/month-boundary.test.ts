import { readFileSync } from 'node:fs';
import { monthUsage } from '@verdict/db/billing/usage-differences.js';
import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import { parsePlans } from '@verdict/domain/plans.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startService, type TestService } from '@verdict/local-stack/start-service.js';
import { startStack, type TestStack } from '@verdict/local-stack/start-stack.js';
import { closeMonths } from '@verdict/metering/close-months.js';
import t from 'tap';
import { CHAOS } from './config.js';
import { accountFor } from './support/account-for.js';
import { assertAccount } from './support/assert-account.js';
import { buildPreload } from './support/build-preload.js';
import { createDatabaseClock, type DatabaseClock } from './support/database-clock.js';
import { type Load, startLoad } from './support/load.js';
import { openMetering } from './support/open-metering.js';
import { PLANS_FILE } from './support/plans-file.js';
import { readUsed } from './support/read-used.js';
import { seedSmallAccount } from './support/seed-small-account.js';
import { createClock } from './support/settable-clock.js';

const library = buildPreload('set-clock');
const options = library ? {} : { skip: 'no C compiler here: the clock of a process cannot be set' };
const PLANS = parsePlans(JSON.parse(readFileSync(PLANS_FILE, 'utf8')));
const SKEW_MS = 2_000;
const HOUR_MS = 3_600_000;

// By the real clock, which the workers keep: a month that is taken from theirs would be wrong.
const old = monthOf(new Date());
const next = addMonths(old, 1);
const turnMs = monthBounds(old).end.getTime();

interface Scene {
  readonly stack: TestStack;
  readonly gateways: readonly TestService[];
  readonly baseUrls: readonly string[];
  /** Redis has the one clock that counts; each gateway is two seconds off, one fast and one slow. */
  readonly redisClock: ReturnType<typeof createClock>;
  setAll(ms: number): void;
  /** Closing asks the clock of Postgres too. */
  readonly databaseClock: DatabaseClock;
}

async function setTheScene(preload: string): Promise<Scene> {
  const [redisClock, fast, slow] = [createClock(preload), createClock(preload), createClock(preload)];
  const setAll = (ms: number) => {
    redisClock.setTo(ms);
    fast.setTo(ms + SKEW_MS);
    slow.setTo(ms - SKEW_MS);
  };
  setAll(turnMs - HOUR_MS);
  const stack = await startStack({
    workers: 2,
    redis: { environment: redisClock.environment },
    env: { all: { PLANS_FILE }, gateway: fast.environment },
  });
  t.teardown(() => stack.stop());
  const second = await startService('gateway', { ...stack.environments.gateway, ...slow.environment });
  t.teardown(() => second.stop());
  const gateways = [...stack.gateways, second];
  const baseUrls = gateways.map(({ url }) => `${url}/api/v1/`);
  const databaseClock = await createDatabaseClock(stack.database.url);
  return { stack, gateways, baseUrls, redisClock, setAll, databaseClock };
}

const answersIn = (load: Load, month: string): number =>
  load.attempts.filter(({ createdAt }) => createdAt?.startsWith(month)).length;
const moreAnswersIn = (load: Load, month: string, more: number) => {
  const target = answersIn(load, month) + more;
  return eventually(() => answersIn(load, month) >= target, { withinMs: 120_000 });
};

t.test('clocks', options, async (t) => {
  const { stack, baseUrls, redisClock, setAll, databaseClock } = await setTheScene(library ?? '');
  const metering = openMetering(stack.redis.url, stack.database.url);
  t.teardown(() => metering.close());
  const small = await seedSmallAccount(stack);
  /** Concurrent requests, over both gateways. */
  const checkSmall = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, i) =>
        http<Record<string, unknown>>(`${baseUrls[i % baseUrls.length]}check/`, {
          headers: { 'x-api-key': small.apiKey },
          json: { email: `small-${i}@load.example` },
        }),
      ),
    );
  const everything: Load['attempts'][number][] = [];
  const loadOptions = (tag: string) => ({ baseUrls, accounts: [stack], clients: CHAOS.clients, tag });

  await t.test('at the turn of the month no check is between the months or in both', async (t) => {
    const before = await checkSmall(small.limit + 10);
    t.equal(before.filter(({ status }) => status === 200).length, small.limit);
    const load = startLoad(loadOptions('turn'));
    await moreAnswersIn(load, old, 20);
    // Checks queued from here on are stored after the turn.
    for (const worker of stack.workers) worker.signal('SIGSTOP');
    await moreAnswersIn(load, old, 20);
    setAll(turnMs - 1_500);
    await moreAnswersIn(load, next, 20);
    // Set back behind the turn, and again should it come round before enough were answered.
    const stragglers = answersIn(load, old) + 5;
    await eventually(
      () => {
        const isEnough = answersIn(load, old) >= stragglers;
        if (!isEnough) redisClock.setTo(turnMs - 5_000);
        return isEnough;
      },
      { withinMs: 120_000, everyMs: 2_000 },
    );
    await moreAnswersIn(load, next, 20);
    await databaseClock.setTo(turnMs + 10_000);
    const [refused] = await closeMonths(metering, { plans: PLANS, graceMs: 0, month: old });
    t.match(refused, { month: old, outcome: 'refused' }, 'its stragglers are awaited');
    for (const worker of stack.workers) worker.signal('SIGCONT');
    await load.stop();
    for (const attempt of load.attempts) everything.push(attempt);

    const after = await checkSmall(small.limit + 10);
    t.equal(after.filter(({ status }) => status === 200).length, small.limit, 'a whole new month, once');
    const denied = after.find(({ status }) => status === 429);
    t.match(denied?.body, { checks_used: small.limit, checks_limit: small.limit });
    assertAccount(t, await accountFor(metering, [stack.accountId], everything, CHAOS.drainMs, [old, next]));

    const rows = await stack.sql<{ moment: string }>(
      `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS moment FROM check_logs WHERE account_id = $1`,
      [stack.accountId],
    );
    for (const month of [old, next]) {
      const inMonth = rows.filter(({ moment }) => moment.startsWith(month)).length;
      t.ok(inMonth >= 40, `${inMonth} checks in ${month}`);
      t.equal((await monthUsage(metering.db, month)).get(stack.accountId), inMonth, 'rolled up');
      t.equal(await readUsed(metering.redis, stack.accountId, month), inMonth, 'counted');
      t.equal((await monthUsage(metering.db, month)).get(small.accountId), small.limit, 'the quota, exactly');
    }
    const usage = await stack.api<{ period: unknown; checks_used: number }>('usage/');
    t.match(usage.body, {
      period: { start: new Date(turnMs).toISOString() },
      checks_used: rows.filter(({ moment }) => moment.startsWith(next)).length,
    });
  });

  await t.test('the month that ended is closed with its stragglers', async (t) => {
    const closings = await closeMonths(metering, { plans: PLANS, graceMs: 0, month: old });
    t.match(closings, [{ month: old, outcome: 'closed' }]);
    const [statement] = await stack.sql<{ used: number }>(
      `SELECT used::int AS used FROM statements WHERE account_id = $1 AND month = $2::date`,
      [stack.accountId, `${old}-01`],
    );
    t.equal(statement?.used, (await monthUsage(metering.db, old)).get(stack.accountId));
  });

  await t.test('a clock set back an hour or forward a day loses nothing and locks nobody out', async (t) => {
    setAll(turnMs + 2 * HOUR_MS);
    const load = startLoad(loadOptions('jump'));
    await moreAnswersIn(load, next, 20);
    redisClock.move(-HOUR_MS);
    await moreAnswersIn(load, next, 20);
    redisClock.move(25 * HOUR_MS);
    await moreAnswersIn(load, next, 20);
    await load.stop();
    for (const attempt of load.attempts) everything.push(attempt);
    t.strictSame(
      load.attempts.filter(({ status }) => status !== 200),
      [],
      'every check was answered',
    );
    assertAccount(t, await accountFor(metering, [stack.accountId], everything, CHAOS.drainMs, [old, next]));
  });
});
