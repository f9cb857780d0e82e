import { bulkStoreBytes } from '@verdict/db/bulk/bulk-store-bytes.js';
import type { Database } from '@verdict/db/database/client.js';
import { unavailable } from '@verdict/service-kit/errors.js';

const BELIEVED_MS = 10_000;

/** Refuses files while those of all accounts take more than `bytesMax`: a full disk would stop every check. */
export function createBulkStore(db: Database, bytesMax: number) {
  let bytes = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    async refuseWhenFull(): Promise<void> {
      if (performance.now() - readAt > BELIEVED_MS) {
        bytes = await bulkStoreBytes(db);
        readAt = performance.now();
      }
      if (bytes > bytesMax) throw unavailable('bulk store: BULK_STORE_MB_MAX is reached');
    },
  };
}
