import type { Database } from '../database/client.js';
import { int8 } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

export interface CounterCorrection {
  readonly accountId: string;
  readonly month: string;
  readonly from: number;
  readonly to: number;
  /** `worker`, or `operator`. */
  readonly madeBy: string;
}

/** Records a correction before it is made, so that no counter changes without a row. Returns its id. */
export async function recordCorrection(db: Database, correction: CounterCorrection): Promise<bigint> {
  const { accountId, month, from, to, madeBy } = correction;
  const rows = await rowsOf(db, { id: int8 })`
    INSERT INTO counter_corrections (account_id, month, counter_from, counter_to, made_by)
    VALUES (${accountId}, (${month} || '-01')::date, ${from}, ${to}, ${madeBy}) RETURNING id`;
  const [row] = rows;
  if (!row) throw new Error('the correction was not recorded');
  return row.id;
}

/** Removes the record of a correction that was not made, because the counter moved. */
export async function withdrawCorrection(db: Database, id: bigint): Promise<void> {
  await db.$executeRaw`DELETE FROM counter_corrections WHERE id = ${id}`;
}
