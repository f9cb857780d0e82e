import type { Database } from '../database/client.js';

/** Revisions go with the address of their check. */
export const forgetOldRevisions = (db: Database): Promise<number> =>
  db.$executeRaw`
    DELETE FROM revisions r WHERE NOT EXISTS (
      SELECT FROM check_subjects s WHERE s.id = r.id AND s.created_at = r.checked_at AND s.account_id = r.account_id)`;
