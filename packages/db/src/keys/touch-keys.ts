import type { Database } from '../database/client.js';

/**
 * Notes when keys were last used (key id -> created_at of the check), exact to a minute: a key in constant use is written
 * once a minute and not every time we look. An older moment never replaces a newer one.
 */
export async function touchKeys(db: Database, lastUsed: ReadonlyMap<string, string>): Promise<void> {
  const json = JSON.stringify([...lastUsed].map(([id, at]) => ({ id, at })));
  // Locked in the order of their ids, or two workers could wait for each other.
  await db.$executeRaw`
    WITH used AS (SELECT id, at FROM jsonb_to_recordset(${json}::jsonb) AS r(id text, at timestamptz)),
    locked AS (
      SELECT k.id FROM api_keys k JOIN used USING (id)
      WHERE k.last_used_at IS NULL OR k.last_used_at < used.at - interval '1 minute'
      ORDER BY k.id FOR NO KEY UPDATE OF k
    )
    UPDATE api_keys k SET last_used_at = used.at FROM used JOIN locked USING (id) WHERE k.id = used.id`;
}
