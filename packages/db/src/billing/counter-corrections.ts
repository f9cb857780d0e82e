import { monthBounds } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';

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
  const { start } = monthBounds(month);
  const data = { accountId, month: start, counterFrom: from, counterTo: to, madeBy };
  return (await db.counterCorrection.create({ data })).id;
}

/** Removes the record of a correction that was not made, because the counter moved. */
export async function withdrawCorrection(db: Database, id: bigint): Promise<void> {
  await db.counterCorrection.deleteMany({ where: { id } });
}
