import { eventually } from '@verdict/local-stack/eventually.js';
import { startRedisSentinel, type TestRedisSentinel } from '@verdict/local-stack/start-redis-sentinel.js';
import { type StackOptions, startStack, type TestStack } from '@verdict/local-stack/start-stack.js';
import { Redis } from 'ioredis';
import t from 'tap';
import { failuresOf, startCheckLoad } from '../harness/check-load.js';
import { persistedChecks } from '../harness/persisted-checks.js';

const CONNECTIONS = 8;
/** So many before the end of the master, and so many after it. */
const ACCEPTED = 40;

/** A process that dies closes its connections; one that is frozen, or that no packet reaches, never does. */
const ENDS: Record<string, (sentinel: TestRedisSentinel) => void> = {
  killed: ({ master }) => void master.signal('SIGKILL'),
  frozen: ({ master }) => void master.signal('SIGSTOP'),
  'cut off by dropped packets': ({ link }) => link.hush(),
};

// In parallel, because most of the time goes into waiting for Sentinels. Stacks start one after the other, because three
// together would starve the healthy masters.
t.jobs = Object.keys(ENDS).length;
let last: Promise<unknown> = Promise.resolve();
function startInTurn(options: StackOptions): Promise<TestStack> {
  const mine = last.then(() => startStack(options));
  last = mine.catch(() => undefined);
  return mine;
}

for (const [end, bringAbout] of Object.entries(ENDS)) {
  t.test(
    `the master that Sentinels watch is ${end} under load, and checks go on at its successor`,
    async (t) => {
      const sentinel = await startRedisSentinel();
      t.teardown(() => sentinel.stop());
      // The account is seeded into a Redis beside it; the gateway has it projected.
      const stack = await startInTurn({ env: { all: { REDIS_URL: sentinel.url } } });
      t.teardown(() => stack.stop());
      const check = () => stack.api('check/', { json: { email: 'jane@gmail.com' } });
      t.equal((await check()).status, 200);

      const load = startCheckLoad({
        baseUrls: stack.baseUrls,
        apiKey: stack.apiKey,
        connections: CONNECTIONS,
        // Below the rate of the free plan.
        perSecond: 40,
      });
      t.teardown(() => load.stop());
      await eventually(() => load.accepted() >= ACCEPTED, { withinMs: 120_000 });
      // A busy machine may keep the replica seconds behind.
      await sentinel.master.client.set('caught-up', '1');
      await sentinel.master.client.wait(1, 0);
      bringAbout(sentinel);
      await sentinel.failedOver();
      await eventually(async () => (await check()).status === 200, { withinMs: 120_000 });
      const before = load.accepted();
      await eventually(() => load.accepted() >= before + ACCEPTED, { withinMs: 120_000 });
      const result = await load.stop();
      const persisted = await persistedChecks(stack.sql, stack.accountId, result.accepted);
      t.comment(
        `${result.attempts} requests, ${failuresOf(result)} failed ${JSON.stringify(result.failures)}, ` +
          `longest gap ${result.longestGapMs} ms, ${persisted.rows} rows, ${persisted.rollup} in the rollup, ` +
          `${persisted.lost.length} acknowledged and lost`,
      );
      t.ok(result.accepted.length >= 2 * ACCEPTED, 'checks were accepted before and after');
      t.strictSame(
        Object.keys(result.failures).filter((what) => what !== '503'),
        [],
        'meanwhile the answer was 503',
      );
      t.equal(persisted.rollup, persisted.rows, 'what is billed is what is there');
      // Replication is asynchronous: what the master acknowledged in its last instant may not be on the replica.
      t.ok(persisted.lost.length <= CONNECTIONS, `${persisted.lost.length} lost`);

      const beside = new Redis(stack.redis.url);
      t.teardown(() => beside.disconnect());
      t.strictSame(await beside.keys('verdict:queue:*'), [], 'no log was written beside it');
    },
  );
}
