import { encodeTime } from '@verdict/domain/id.js';
import type { Database } from '../database/client.js';
import { instant } from '../database/sql-timestamp.js';

/** The queue may keep a check this long before it is stored. */
const STORED_WITHIN_MS = 48 * 3_600_000;

/** Takes checks out of the queue of reviews that have an outcome or whose address has aged out. */
export const forgetOldReviews = (db: Database): Promise<number> =>
  db.$executeRaw`
    DELETE FROM reviews r
    WHERE NOT EXISTS (SELECT FROM check_subjects s
        WHERE s.id = r.id AND s.created_at = r.created_at AND s.account_id = r.account_id)
      OR EXISTS (SELECT FROM outcomes o WHERE o.account_id = r.account_id AND o.subject IN (r.id, r.email_hash))`;

/**
 * Forgets what erasure can no longer find: notes and earlier words of checks whose address has aged out, labels of checks
 * that were never stored, old labels of addresses without a check, and old dismissals. The outcome of a stored check stays.
 */
export async function forgetOldOutcomes(db: Database, nowMs: number, addressesBefore: Date): Promise<void> {
  // Ids sort by their time, so this text separates the checks that must be stored by now.
  const until = `log_${encodeTime(nowMs - STORED_WITHIN_MS)}`;
  await db.$executeRaw`
    UPDATE outcomes o SET note = NULL, history = '[]'
    WHERE starts_with(o.subject, 'log_') AND o.subject COLLATE "C" < ${until} AND (o.note IS NOT NULL OR o.history <> '[]')
      AND NOT EXISTS (SELECT FROM check_subjects s WHERE s.id = o.subject AND s.account_id = o.account_id)`;
  await db.$executeRaw`
    DELETE FROM outcomes o
    WHERE starts_with(o.subject, 'log_') AND o.subject COLLATE "C" < ${until}
      AND NOT EXISTS (SELECT FROM check_logs l WHERE l.id = o.subject AND l.account_id = o.account_id)
      AND NOT EXISTS (SELECT FROM test_check_logs l WHERE l.id = o.subject AND l.account_id = o.account_id)`;
  await db.$executeRaw`
    DELETE FROM outcomes o
    WHERE NOT starts_with(o.subject, 'log_') AND o.said_at < ${instant(addressesBefore)}
      AND NOT EXISTS (SELECT FROM check_subjects s WHERE s.email_hash = o.subject AND s.account_id = o.account_id)`;
  await db.$executeRaw`DELETE FROM dismissed_proposals WHERE dismissed_at < ${instant(addressesBefore)}`;
}
