/** Queues and their Redis prefixes, named once for producers, consumers and operators. */
export const CHECK_LOG_QUEUE = 'check-logs';

/** Records that can never be persisted as they are, kept with their payload until somebody decides. */
export const DEAD_LETTER_QUEUE = 'dead-letters';

/** Chunks of bulk jobs. */
export const BULK_CHUNK_QUEUE = 'bulk-chunks';

/** Each shard has a hash tag of its own, so that on a cluster no one node carries every log. */
export const shardPrefix = (shard: number): string => `verdict:queue:{${shard}}`;

export const BULK_CHUNK_PREFIX = 'verdict:queue:{bulk}';

export const DEAD_LETTER_PREFIX = 'verdict:queue:{dead}';

/** Messages to customers that are due. Postgres knows them all; the queue spreads them over the workers. */
export const WEBHOOK_QUEUE = 'webhooks';
export const WEBHOOK_PREFIX = 'verdict:queue:{webhooks}';

/** Name of the backoff that consumers implement: BullMQ's own exponential one grows without a bound. */
export const CAPPED_BACKOFF = 'capped';
