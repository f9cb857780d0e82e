import type { Database } from '@verdict/db/database/client.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';

/** The three places in which a check can be. */
export interface Metering extends AccountStore {
  readonly db: Database;
  readonly deadLetters: DeadLetters;
}
