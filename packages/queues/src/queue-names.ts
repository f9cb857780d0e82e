/** Queues and their Redis prefixes, named once for producers, consumers and operators. */
export const CHECK_LOG_QUEUE = 'check-logs';

/** Checks that can never be stored as they are, kept with their payload until an operator decides. */
export const DEAD_LETTER_QUEUE = 'dead-letters';

/** How the id of a job begins that an operator made of a dead letter. */
export const RETRIED_LETTER = 'retry-';

/** Each shard has its own hash tag, so that on a cluster no single node carries every log. */
export const shardPrefix = (shard: number): string => `verdict:queue:{${shard}}`;

export const DEAD_LETTER_PREFIX = 'verdict:queue:{dead}';

/** Name of the backoff that consumers implement: BullMQ's own exponential one grows without a bound. */
export const CAPPED_BACKOFF = 'capped';
