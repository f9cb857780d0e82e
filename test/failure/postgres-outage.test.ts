import { setTimeout as delay } from 'node:timers/promises';
import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import t from 'tap';
import { startCheckLoad } from '../harness/check-load.js';
import { persistedChecks } from '../harness/persisted-checks.js';
import { CHAOS } from './config.js';
import { startChaosStack } from './support/chaos-stack.js';
import { printFigures } from './support/print-figures.js';

const { outageMinutes, outageRate, drainMs } = CHAOS;
/** As docker-compose.yml limits Redis. */
const MAXMEMORY_BYTES = 896 * 1024 * 1024;
/** REDIS_HIGH_WATER_PERCENT. */
const HIGH_WATER = 0.75;
/** docs/scaling.md promises these minutes at this rate with that memory. */
const PROMISED = { perSecond: 120, minutes: 60 };
/** Redis doubles its tables now and then; what the extrapolation needs is that a queued check does not become dearer. */
const GROWTH_MAX = 1.5;
/** The short form ends with so many checks instead of minutes. */
const QUEUED_CHECKS = 300;
const CONNECTIONS = 16;

if (CHAOS.isLong) t.setTimeout(outageMinutes * 60_000 + drainMs + 600_000);
const chaos = await startChaosStack();
const { stack, postgres, metering } = chaos;
t.teardown(() => chaos.stop());
const usedMemory = async () => Number(/^used_memory:(\d+)/m.exec(await metering.redis.info('memory'))?.[1]);

t.test('without Postgres checks are answered from memory, and each is stored and billed once', async (t) => {
  await metering.redis.config('SET', 'maxmemory', MAXMEMORY_BYTES);
  const load = startCheckLoad({
    baseUrls: stack.baseUrls,
    apiKey: stack.apiKey,
    connections: CONNECTIONS,
    perSecond: outageRate,
  });
  await eventually(() => load.accepted() >= 50, { withinMs: 240_000 });
  postgres.cut();
  const [beforeBytes, beforeChecks] = [await usedMemory(), load.accepted()];
  const halfTime = (outageMinutes * 60_000) / 2;
  if (CHAOS.isLong) await delay(halfTime);
  else await eventually(() => load.accepted() >= beforeChecks + QUEUED_CHECKS, { withinMs: 240_000 });
  const [halfBytes, halfChecks] = [await usedMemory(), load.accepted()];
  if (CHAOS.isLong) await delay(halfTime);
  const result = await load.stop();
  const queued = result.accepted.length - beforeChecks;
  const bytes = (await usedMemory()) - beforeBytes;
  const { waiting: jobs } = await readBacklog(metering.redis, metering.shards);
  const bytesPerCheck = Math.round(bytes / queued);
  const minutesAt = (perSecond: number) =>
    (MAXMEMORY_BYTES * HIGH_WATER - beforeBytes) / bytesPerCheck / perSecond / 60;
  printFigures('an outage of Postgres', {
    seconds: Math.round(result.seconds),
    answered: result.accepted.length,
    failed: result.failures,
    queued,
    jobs,
    bytes_per_check: bytesPerCheck,
    share_of_maxmemory: Math.round((1000 * (beforeBytes + bytes)) / MAXMEMORY_BYTES) / 1000,
    [`minutes_until_503_at_${outageRate}_a_second_with_896_mb`]: Math.round(minutesAt(outageRate)),
  });
  t.ok(bytes > 0 && (beforeBytes + bytes) / MAXMEMORY_BYTES < HIGH_WATER, `${bytesPerCheck} bytes a check`);
  if (CHAOS.isLong) {
    const ofFirst = (halfBytes - beforeBytes) / (halfChecks - beforeChecks);
    const ofSecond = (beforeBytes + bytes - halfBytes) / (result.accepted.length - halfChecks);
    t.ok(
      ofSecond <= ofFirst * GROWTH_MAX,
      `bytes a check: ${Math.round(ofFirst)}, then ${Math.round(ofSecond)}`,
    );
    t.ok(minutesAt(PROMISED.perSecond) >= PROMISED.minutes, 'the memory of Compose lasts the promised hour');
  }

  postgres.restore();
  await eventually(async () => (await readBacklog(metering.redis, metering.shards)).oldestMs === null, {
    withinMs: drainMs,
  });
  const { rows, rollup, lost } = await persistedChecks(stack.sql, stack.accountId, result.accepted);
  t.strictSame(lost, []);
  t.equal(rows, rollup);
  t.ok(rows >= result.accepted.length);
  t.strictSame(await reconcile(metering, monthOf(new Date())), []);
});
