/** Queues and their Redis prefixes, named once for producers, consumers and operators. */
export const CHECK_LOG_QUEUE = 'check-logs';

/** Each shard has a hash tag of its own, so that on a cluster no one node carries every log. */
export const shardPrefix = (shard: number): string => `verdict:queue:{${shard}}`;
