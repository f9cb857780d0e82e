import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { type Refund, refund } from '@verdict/redis-store/refund.js';
import type { Logger } from '@verdict/service-kit/logger.js';

export interface Refunder {
  /** Gives a check back in the background; one that fails is left to the worker's sweeper. */
  refund(accountId: string, refunded: Refund): void;
  drained(): Promise<void>;
}

export function createRefunder(redis: RedisConnection, log: Logger): Refunder {
  const underWay = new Set<Promise<void>>();
  return {
    refund(accountId, refunded) {
      const work = refund(redis, accountId, [refunded])
        .then(() => {})
        .catch((err) => log.warn({ err, accountId, logId: refunded.logId }, 'refund left to the sweeper'))
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    async drained() {
      await Promise.all(underWay);
    },
  };
}
