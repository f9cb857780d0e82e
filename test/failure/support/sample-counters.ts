import { setTimeout as delay } from 'node:timers/promises';
import { monthBounds, monthOf } from '@verdict/domain/month.js';
import { accountKey, usedField } from '@verdict/redis-store/keys.js';
import { Redis } from 'ioredis';
import type { OpenMetering } from './open-metering.js';

interface Sample {
  readonly accountId: string;
  readonly month: string;
  readonly micros: number;
  readonly used: number;
}

const EVERY_MS = 5;

/**
 * Reads the clock of Redis and the counters of accounts in one transaction, again and again. A counter is exact if it
 * is, at each of these instants, the number of rows that are dated before it: every row is dated by the step that counts it.
 */
export function sampleCounters(
  redisUrl: string,
  /** May grow while it runs. */
  accountIds: readonly string[],
  months: readonly string[] = [monthOf(new Date())],
) {
  const redis = new Redis(redisUrl);
  redis.on('error', () => {}); // the test takes Redis away on purpose
  const samples: Sample[] = [];
  let stopped = false;

  async function sample(): Promise<void> {
    const reading = redis.multi().time();
    const read = accountIds.flatMap((accountId) => months.map((month) => ({ accountId, month })));
    for (const { accountId, month } of read) reading.hget(accountKey(accountId, 1), usedField(month));
    const [time, ...counts] = (await reading.exec()) ?? [];
    const [seconds = 0, more = 0] = ((time?.[1] ?? []) as string[]).map(Number);
    for (const [i, one] of read.entries()) {
      samples.push({ ...one, micros: seconds * 1_000_000 + more, used: Number(counts[i]?.[1] ?? 0) });
    }
  }
  const running = (async () => {
    while (!stopped) {
      await sample().catch(() => undefined);
      await delay(EVERY_MS);
    }
    redis.disconnect();
  })();

  return {
    /** Ends it; once all rows are stored, `compare` tells at how many instants a counter was wrong. */
    async stop() {
      stopped = true;
      await running;
    },
    async compare({ db }: OpenMetering): Promise<{ instants: number; wrong: Sample[] }> {
      const wrong: Sample[] = [];
      for (const [accountId, month] of accountIds.flatMap((id) =>
        months.map((name) => [id, name] as const),
      )) {
        const { start, end } = monthBounds(month);
        const rows = await db.$queryRaw<{ micros: number }[]>`
          SELECT (extract(epoch FROM created_at) * 1000000)::float8 AS micros FROM check_logs
          WHERE account_id = ${accountId} AND created_at >= ${start} AND created_at < ${end} ORDER BY created_at`;
        let before = 0;
        for (const one of samples.filter((each) => each.accountId === accountId && each.month === month)) {
          while ((rows[before]?.micros ?? Number.POSITIVE_INFINITY) <= one.micros) before++;
          if (one.used === before) continue;
          // Rows of the very microsecond may have been counted just after the look.
          const same = rows.slice(0, before).filter(({ micros }) => micros === one.micros).length;
          if (one.used > before || one.used < before - same) wrong.push(one);
        }
      }
      return { instants: samples.length, wrong };
    },
  };
}
