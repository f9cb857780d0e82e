import type { Database } from '@verdict/db/client.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';

/** The three places in which a check can be, and how the queue is cut. */
export interface Metering {
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly deadLetters: DeadLetters;
  readonly shards: number;
}
