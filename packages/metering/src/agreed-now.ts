import { databaseNow } from '@verdict/db/database/database-now.js';
import { redisNow } from '@verdict/redis-store/redis-now.js';
import type { Metering } from './metering.js';

/** More than clocks drift apart, and less than would matter to a month or to a day of retention. */
const DIFFERENCE_MAX_MS = 120_000;

class ClocksDisagree extends Error {
  override name = 'ClocksDisagree';
}

/**
 * The time on which Redis, which dates checks, and Postgres, which stores them, agree; the earlier of the two.
 * Irreversible work uses it, because one clock set a day ahead must not close a month or erase an address; it throws
 * when they disagree by minutes.
 */
export async function agreedNow({ db, redis }: Pick<Metering, 'db' | 'redis'>): Promise<number> {
  const [ofRedis, ofPostgres] = await Promise.all([redisNow(redis), databaseNow(db)]);
  const difference = ofRedis - ofPostgres;
  if (Math.abs(difference) > DIFFERENCE_MAX_MS) {
    const seconds = Math.round(Math.abs(difference) / 1000);
    throw new ClocksDisagree(
      `the clock of Redis is ${seconds} seconds ${difference > 0 ? 'ahead of' : 'behind'} that of Postgres: nothing is closed or deleted until they agree`,
    );
  }
  return Math.min(ofRedis, ofPostgres);
}
