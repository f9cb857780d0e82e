import { shardOf } from './shards.js';

/**
 * Every Redis key of ours, named once. A shard is a hash tag: what belongs to an account carries the tag of its shard,
 * and so does the queue that its logs go to, so that one transaction can touch all of it on a Redis Cluster too.
 */
const shardTag = (shard: number): string => `{${shard}}`;

const inShard = (accountId: string, shards: number): string =>
  `verdict:${shardTag(shardOf(accountId, shards))}`;

export const accountKey = (accountId: string, shards: number): string =>
  `${inShard(accountId, shards)}:account:${accountId}`;
export const listsKey = (accountId: string, shards: number): string =>
  `${inShard(accountId, shards)}:lists:${accountId}`;
/** Versions of the account's policy, each as JSON. */
export const policiesKey = (accountId: string, shards: number): string =>
  `${inShard(accountId, shards)}:policies:${accountId}`;
/** The account's sign-up hooks: id -> JSON, see projected-hook.ts. */
export const hooksKey = (accountId: string, shards: number): string =>
  `${inShard(accountId, shards)}:hooks:${accountId}`;
/** The last requests to a hook, newest first. */
export const hookDeliveriesKey = (accountId: string, hookId: string, shards: number): string =>
  `${inShard(accountId, shards)}:hook-deliveries:${hookId}`;
/** The record of an Idempotency-Key; `name` is a hash of account and key. */
export const recordKey = (accountId: string, name: string, shards: number): string =>
  `${inShard(accountId, shards)}:once:${name}`;
/** The things that an account counts, in even and in odd weeks, by keyed fingerprints. */
export const seenKeys = (accountId: string, shards: number): readonly [string, string] => [
  `${inShard(accountId, shards)}:seen:even:${accountId}`,
  `${inShard(accountId, shards)}:seen:odd:${accountId}`,
];
/** The note of one step. */
export const noteKey = (shard: number, batchId: string): string =>
  `verdict:${shardTag(shard)}:note:${batchId}`;

/** Written to learn whether replicas follow; holds nothing. */
export const confirmationKey = (shard: number): string => `verdict:${shardTag(shard)}:confirmation`;

/**
 * Accounts by what was answered and by what was refused in a minute since 1970. Both share a tag, because one script
 * writes them.
 */
export const loadKeys = (minute: number): readonly [answered: string, refused: string] => [
  `verdict:{load-${minute}}:answered`,
  `verdict:{load-${minute}}:refused`,
];

/** How many shards the accounts of this Redis are spread over. */
export const SHARDS_KEY = 'verdict:shards';

/** SHA-256 of an API key -> "<account id> <key id>". */
export const identityKey = (keyHash: string): string => `verdict:key:${keyHash}`;

/** Id of a sign-up hook -> account id. */
export const hookOwnerKey = (hookId: string): string => `verdict:hook:${hookId}`;

/** Login attempts of one bucket (a user, or a client address) within the running window. */
export const loginAttemptsKey = (bucket: string): string => `verdict:login:attempts:${bucket}`;

/** Where a user has logged in before; user and places are hashes. */
export const loginKnownKey = (user: string): string => `verdict:login:known:${user}`;

/** Whose turn it was at what the workers do from time to time, and when it was last done. */
export const TASKS_KEY = 'verdict:duties';

/** Namespace of @fastify/rate-limit's counters. */
export const RATE_LIMIT_NAMESPACE = 'verdict:rate:';

/** Every account that this Redis knows. */
export const ACCOUNT_PATTERN = 'verdict:{*}:account:*';
export const RECORD_PATTERN = 'verdict:{*}:once:*';

/** All that is projected from Postgres, also under the names of release 0.1.0, which had a tag for every account. */
export const PROJECTED_PATTERNS = [
  ACCOUNT_PATTERN,
  'verdict:{*}:lists:*',
  'verdict:{*}:policies:*',
  'verdict:{*}:hooks:*',
  'verdict:{acc_*}:account',
  'verdict:{acc_*}:lists',
  'verdict:{acc_*}:reserved',
  'verdict:{acc_*}:swept',
  'verdict:{acc_*}:held',
  'verdict:{acc_*}:idempotency:*',
] as const;

/** The field of the account hash that counts a month. */
export const usedField = (month: string): string => `u:${month}`;

export const accountOfKey = (key: string): string => key.slice(key.lastIndexOf(':') + 1);

/**
 * How a secret is called inside its account: enough of its hash to be unique there. A rolled secret and its successor
 * belong to one key but end at different times, so the step asks for the secret, not for the key.
 */
export const credentialOfHash = (keyHash: string): string => keyHash.slice(0, 16);
