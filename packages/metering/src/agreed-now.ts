import { databaseNow } from '@verdict/db/database/database-now.js';
import { redisNow } from '@verdict/redis-store/redis-now.js';
import type { Metering } from './metering.js';

/** More than clocks drift apart, and less than would matter to a month or to a day of retention. */
const DIFFERENCE_MAX_MS = 120_000;

class ClocksDisagree extends Error {
  override name = 'ClocksDisagree';
}

/**
 * The moment on which Redis, which dates every check, and Postgres, which keeps them, agree; the earlier one of the two.
 * What cannot be undone is done by this one: a single clock that was set a day ahead must not end a month or forget an
 * address. Throws when they disagree by minutes, and does not guess which of them is right.
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
