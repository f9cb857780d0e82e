import type { Database } from '@verdict/db/database/client.js';
import { touchKeys } from '@verdict/db/keys/touch-keys.js';
import type { PendingCheck } from './pending-check.js';

export interface KeyUsage {
  note(checks: readonly PendingCheck[]): void;
  /** Writes what was noted since the last time. */
  flush(): Promise<void>;
}

/** When each key was last used: one write per key and turn, however many checks it made. */
export function createKeyUsage(db: Database): KeyUsage {
  let latest = new Map<string, string>();
  return {
    note(checks) {
      for (const { row } of checks) {
        const known = latest.get(row.key_id);
        // Same format, same offset: the texts sort as the moments do.
        if (known === undefined || known < row.created_at) latest.set(row.key_id, row.created_at);
      }
    },
    async flush() {
      if (latest.size === 0) return;
      const noted = latest;
      latest = new Map();
      await touchKeys(db, noted);
    },
  };
}
