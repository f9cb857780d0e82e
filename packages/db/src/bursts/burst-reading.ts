import type { Database } from '../database/client.js';
import { columnsOf, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';

const BurstRow = columnsOf('burst');
export type BurstRow = RowOf<typeof BurstRow>;

/** Bursts of one page. */
const BURSTS_MAX = 50;
/** An ended burst is shown for this long. */
const SHOWN_HOURS = 24;

/** Accounts with a burst that is under way. */
export async function accountsWithBursts(db: Database): Promise<string[]> {
  const rows = await rowsOf(db, { id: text })`
    SELECT DISTINCT account_id AS id FROM bursts WHERE ended_at IS NULL`;
  return rows.map(({ id }) => id);
}

/** One account's bursts: those under way, and those of the last day. */
export function createBurstReading(db: Database, accountId: string) {
  return {
    list: (): Promise<BurstRow[]> => rowsOf(db, BurstRow)`
      SELECT id, kind, CASE WHEN kind = 'mailbox' THEN coalesce(examples[1], '') ELSE value END AS value,
        ${timestampText('started_at')} AS started_at, ${timestampText('ended_at')} AS ended_at, usual,
        allow, challenge, review, block, examples
      FROM bursts
      WHERE account_id = ${accountId} AND (ended_at IS NULL OR ended_at > now() - make_interval(hours => ${SHOWN_HOURS}))
      ORDER BY ended_at DESC NULLS FIRST, allow + challenge + review + block DESC, id LIMIT ${BURSTS_MAX}`,
  };
}
