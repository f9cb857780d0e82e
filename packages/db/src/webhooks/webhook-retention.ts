import type { Database } from '../database/client.js';

const ROWS_PER_STATEMENT = 5_000;

/** Forgets events with their deliveries and attempts, but for those that are still to be delivered. */
export async function deleteWebhookEventsBefore(db: Database, cutoff: Date): Promise<number> {
  let deleted = 0;
  for (;;) {
    const count = await db.$executeRaw`
      DELETE FROM webhook_events WHERE id IN (
        SELECT e.id FROM webhook_events e
        WHERE e.created_at < ${cutoff}
          AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id AND d.status = 'pending')
        LIMIT ${ROWS_PER_STATEMENT})`;
    deleted += count;
    if (count < ROWS_PER_STATEMENT) return deleted;
  }
}
