import { createApiKeys } from './api-keys.js';
import type { Database } from './client.js';
import { createUsageReading } from './usage-reading.js';

export type AccountScope = ReturnType<typeof forAccount>;

/**
 * The one place where a request's account is fixed. Routes get this and never the database itself, so a query without
 * its account cannot be written by forgetting something: another account's id finds nothing.
 */
export function forAccount(db: Database, accountId: string) {
  return {
    id: accountId,
    keys: createApiKeys(db, accountId),
    usage: createUsageReading(db, accountId),
  };
}
