import { setTimeout as delay } from 'node:timers/promises';
import { monthOf } from '@verdict/domain/month.js';
import { accountKey, usedField } from '@verdict/redis-store/keys.js';
import { Redis } from 'ioredis';
import type { OpenMetering } from './open-metering.js';

interface Sample {
  readonly accountId: string;
  readonly micros: number;
  readonly used: number;
}

const EVERY_MS = 5;

/**
 * Reads the clock of Redis and the counters of accounts in one transaction, again and again. A counter is exact if it
 * is, at each of these instants, the number of rows that are dated before it: every row is dated by the step that counts it.
 */
export function sampleCounters(redisUrl: string, accountIds: readonly string[]) {
  const redis = new Redis(redisUrl);
  redis.on('error', () => {}); // the test takes Redis away on purpose
  const samples: Sample[] = [];
  let stopped = false;

  async function sample(): Promise<void> {
    const reading = redis.multi().time();
    for (const accountId of accountIds) {
      reading.hget(accountKey(accountId, 1), usedField(monthOf(new Date())));
    }
    const [time, ...counts] = (await reading.exec()) ?? [];
    const [seconds = 0, more = 0] = ((time?.[1] ?? []) as string[]).map(Number);
    for (const [i, accountId] of accountIds.entries()) {
      const used = Number(counts[i]?.[1] ?? 0);
      samples.push({ accountId, micros: seconds * 1_000_000 + more, used });
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
      for (const accountId of accountIds) {
        const rows = await db.$queryRaw<{ micros: number }[]>`
          SELECT (extract(epoch FROM created_at) * 1000000)::float8 AS micros FROM check_logs
          WHERE account_id = ${accountId} ORDER BY created_at`;
        let before = 0;
        for (const one of samples.filter((each) => each.accountId === accountId)) {
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
