import {
  REFUSED_RETENTION_DAYS,
  REFUSED_SAMPLES_MAX,
  type RefusedGroup,
} from '@verdict/contracts/refused-requests.js';
import type { Database } from '../database/client.js';
import { columnsOf, type RowOf } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';

const RefusedRow = columnsOf('refused');
export type RefusedRow = RowOf<typeof RefusedRow>;

/** Groups of a listing: revoked keys have theirs for as long as the others. */
const SHOWN_MAX = 100;

/** Adds a report to the counts of this hour. Keys that are gone are left out. */
export async function storeRefused(db: Database, groups: readonly RefusedGroup[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO refused_requests AS kept (account_id, key_id, hour, status, code, count, samples)
    SELECT k.account_id, g.key_id, date_trunc('hour', now()), g.status, g.code, g.count, g.samples
    FROM jsonb_to_recordset(${JSON.stringify(groups)}::jsonb)
      AS g (account_id text, key_id text, status int, code text, count int, samples jsonb)
    JOIN api_keys k ON k.id = g.key_id AND k.account_id = g.account_id
    ON CONFLICT (account_id, key_id, hour, status, code) DO UPDATE
    SET count = kept.count + excluded.count, last_at = now(), samples = (
      SELECT jsonb_agg(sample ORDER BY sample ->> 'at' DESC)
      FROM (SELECT sample FROM jsonb_array_elements(kept.samples || excluded.samples) AS sample
            ORDER BY sample ->> 'at' DESC LIMIT ${REFUSED_SAMPLES_MAX}) AS newest)`;
}

export const deleteOldRefused = (db: Database): Promise<number> =>
  db.$executeRaw`
    DELETE FROM refused_requests WHERE hour < now() - make_interval(days => ${REFUSED_RETENTION_DAYS})`;

/** Reads the refused requests of an account, most frequent first. */
export function createRefusedReading(db: Database, accountId: string) {
  return {
    list: (): Promise<RefusedRow[]> => rowsOf(db, RefusedRow)`
      SELECT key_id, status, code, sum(count)::float8 AS count, ${timestampText('max(last_at)')} AS last_at,
             (SELECT jsonb_agg(sample) FROM (
                SELECT sample FROM jsonb_array_elements(jsonb_path_query_array(jsonb_agg(samples), '$[*][*]')) AS sample
                ORDER BY sample ->> 'at' DESC LIMIT ${REFUSED_SAMPLES_MAX}) AS newest) AS samples
      FROM refused_requests
      WHERE account_id = ${accountId} AND hour > now() - make_interval(days => ${REFUSED_RETENTION_DAYS})
      GROUP BY key_id, status, code
      ORDER BY count DESC, key_id, code LIMIT ${SHOWN_MAX}`,
  };
}
