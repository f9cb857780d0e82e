import type { Database } from '@verdict/db/database/client.js';
import { touchKeys } from '@verdict/db/keys/touch-keys.js';
import type { PendingCheck } from './pending-check.js';

export type KeyUsage = ReturnType<typeof createKeyUsage>;

/** When each key was last used: one write per key and turn, however many checks it made. */
export function createKeyUsage(db: Database) {
  let latest = new Map<string, string>();
  return {
    note(checks: readonly PendingCheck[]) {
      for (const { row } of checks) {
        const known = latest.get(row.key_id);
        // Same format, same offset: the texts sort as the moments do.
        if (known === undefined || known < row.created_at) latest.set(row.key_id, row.created_at);
      }
    },
    /** Writes what was noted since the last time. */
    async flush() {
      if (latest.size === 0) return;
      const noted = latest;
      latest = new Map();
      await touchKeys(db, noted);
    },
  };
}
