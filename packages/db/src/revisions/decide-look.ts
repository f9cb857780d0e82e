import type { Database } from '../database/client.js';
import { int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';

const LookRow = {
  id: text,
  release: text,
  status: text,
  names: int,
  found: int,
  revised: int,
  noted_at: text,
};
export type LookRow = RowOf<typeof LookRow>;

/** The newest second looks, for operators. */
export const listLooks = (db: Database, countMax: number): Promise<LookRow[]> =>
  rowsOf(db, LookRow)`
    SELECT l.id, l.release, l.status, cardinality(l.names) AS names, l.found,
      (SELECT count(*)::int FROM revisions r WHERE r.look_id = l.id) AS revised, ${timestampText('l.noted_at')} AS noted_at
    FROM second_looks l ORDER BY l.noted_at DESC, l.id DESC LIMIT ${countMax}`;

/** An operator's word on a look that was held: revise all that it found, or nothing. False when none is held. */
export async function decideLook(db: Database, id: string, isAllowed: boolean): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE second_looks SET allowed = ${isAllowed}, status = ${isAllowed ? 'revising' : 'done'}, leased_until = now(), tries = 0
    WHERE id = ${id} AND status = 'held'`;
  return changed > 0;
}
