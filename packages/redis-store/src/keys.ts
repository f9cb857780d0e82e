/**
 * Every Redis key of ours, named once. What belongs to an account carries its hash tag, so that one script can touch
 * all of it on a Redis Cluster too.
 */
export const accountKey = (accountId: string): string => `verdict:{${accountId}}:account`;
export const reservedKey = (accountId: string): string => `verdict:{${accountId}}:reserved`;
export const listsKey = (accountId: string): string => `verdict:{${accountId}}:lists`;
/** Log ids that the sweeper gave back in the last day, and log ids that it must leave alone for now. */
export const sweptKey = (accountId: string): string => `verdict:{${accountId}}:swept`;
export const heldKey = (accountId: string): string => `verdict:{${accountId}}:held`;
export const idempotencyKey = (accountId: string, keyHash: string): string =>
  `verdict:{${accountId}}:idempotency:${keyHash}`;

/** SHA-256 of an API key -> "<account id> <key id>". */
export const identityKey = (keyHash: string): string => `verdict:key:${keyHash}`;

/** Login attempts of one bucket (a user, or a client address) within the running window. */
export const loginAttemptsKey = (bucket: string): string => `verdict:login:attempts:${bucket}`;

/** A user has logged in from an address before; the name is a hash of both. */
export const loginKnownKey = (pair: string): string => `verdict:login:known:${pair}`;

/** Whose turn it was at what the workers do from time to time, and when it was last done. */
export const DUTIES_KEY = 'verdict:duties';

/** Namespace of @fastify/rate-limit's counters. */
export const RATE_LIMIT_NAMESPACE = 'verdict:rate:';

/** Accounts with open reservations are found by this pattern. */
export const RESERVED_PATTERN = 'verdict:{*}:reserved';

/** Every account that this Redis knows. */
export const ACCOUNT_PATTERN = 'verdict:{*}:account';

/** The field of the account hash that counts a month. */
export const usedField = (month: string): string => `u:${month}`;

export const accountOfKey = (key: string): string => key.slice(key.indexOf('{') + 1, key.indexOf('}'));

/**
 * How a secret is called inside its account: enough of its hash to be unique there. A rolled secret and its successor
 * belong to one key but end at different times, so admission asks for the secret, not for the key.
 */
export const credentialOfHash = (keyHash: string): string => keyHash.slice(0, 16);
