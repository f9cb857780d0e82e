import type { Database } from '../database/client.js';
import { Prisma } from '../generated/client.js';
import type { Leased, WorkQueue } from './work-queue.js';

const inSeconds = (seconds: number): Prisma.Sql => Prisma.sql`now() + make_interval(secs => ${seconds})`;

/** Two transactions that run side by side have two times of day, which are at most a statement's limit apart. */
const APART_SECONDS = 30;

/** Whether a moment is still ahead. One that is further ahead than any can be was written before the clock was set back. */
export const isAhead = (column: string, secondsMax: number): Prisma.Sql => {
  const moment = Prisma.raw(column);
  return Prisma.sql`coalesce(${moment} > now() AND ${moment} <= ${inSeconds(secondsMax + APART_SECONDS)}, false)`;
};

/** Whether a process holds a row of the table, called `alias`. */
export const isLeased = (
  { until, leaseSeconds }: Pick<WorkQueue, 'until' | 'leaseSeconds'>,
  alias: string,
): Prisma.Sql => isAhead(`${alias}.${until}`, leaseSeconds);

/** Whether a row of the table, called `w`, may be taken. */
export const isDue = ({ waits, until, leaseSeconds, pauseSecondsMax }: WorkQueue): Prisma.Sql =>
  Prisma.sql`${waits} AND NOT ${isAhead(`w.${until}`, Math.max(leaseSeconds, pauseSecondsMax))}`;

/** The ids of the next rows, locked; rows that another process is just taking are left out. */
export const nextDue = (queue: WorkQueue, countMax: number): Prisma.Sql => Prisma.sql`
  SELECT w.id FROM ${Prisma.raw(queue.table)} w WHERE ${isDue(queue)}
  ORDER BY ${queue.order} LIMIT ${countMax} FOR UPDATE SKIP LOCKED`;

/**
 * Takes rows under their next lease, as the head of a statement: `SELECT … FROM taken` shows what the holder needs.
 * Joins and counts belong there, so that every queue takes its rows in the same way; `noted` assigns what the row keeps of its holder.
 */
export function take(queue: WorkQueue, chosen: Prisma.Sql, noted = Prisma.empty): Prisma.Sql {
  const counted = [...new Set([queue.lease, queue.tries?.column ?? queue.lease])];
  const counts = Prisma.raw(counted.map((column) => `${column} = w.${column} + 1`).join(', '));
  return Prisma.sql`
    WITH chosen AS (${chosen}), taken AS (
      UPDATE ${Prisma.raw(queue.table)} w SET ${counts}, ${extended(queue)}${noted} FROM chosen WHERE w.id = chosen.id
      RETURNING w.*
    )`;
}

/** The assignment that lets a lease end later, for statements that note progress. */
export const extended = ({ until, leaseSeconds }: WorkQueue): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(until)} = ${inSeconds(leaseSeconds)}`;

/** Whether the row is still in these hands. */
export const isHeldBy = (queue: WorkQueue, { id, lease }: Leased): Prisma.Sql =>
  Prisma.sql`id = ${id} AND ${Prisma.raw(queue.lease)} = ${lease}`;

/** Tells others that the holder is alive. */
export async function renewLease(db: Database, queue: WorkQueue, leased: Leased): Promise<void> {
  await db.$executeRaw`
    UPDATE ${Prisma.raw(queue.table)} SET ${extended(queue)} WHERE ${isHeldBy(queue, leased)}`;
}

/** Gives a row back; anybody may take it after the pause. False when there is nothing left to do, or somebody else holds it. */
export async function putBack(
  db: Database,
  queue: WorkQueue,
  leased: Leased,
  afterMs: number,
): Promise<boolean> {
  const seconds = Math.min(afterMs / 1_000, queue.pauseSecondsMax);
  const changed = await db.$executeRaw`
    UPDATE ${Prisma.raw(queue.table)} w SET ${Prisma.raw(queue.until)} = ${inSeconds(seconds)}
    WHERE ${isHeldBy(queue, leased)} AND ${queue.waits}`;
  return changed > 0;
}
